package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.operation.Operations;
import org.mscclj.conformance.operation.Step;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.task.DaemonTask;

/**
 * Operation after operation, each on a communicator of its own, is aborted by another thread of rank 0 while the ranks wait for the last one, which makes it
 * no more. Everybody hears of it at once and with the reason, the last rank too, and the communicator can be closed.
 */
final class AbortedOperationsCheck implements RankCheck {
    private static final Duration UNTIL_ALL_WAIT = Duration.ofMillis(20);
    private static final Duration WITHIN = Duration.ofSeconds(1);

    /** How far apart ranks may be, which have met just before. */
    private static final Duration APART = Duration.ofSeconds(1);

    private static final String REASON = "conformance: aborted on purpose";
    private static final int COUNT = 1024;

    private static List<String> names(Mode mode) {
        List<String> names = new ArrayList<>(Operations.names());
        if (mode != Mode.NODES) {
            names.add(Operations.WINDOW);
        }
        return names;
    }

    @Override
    public void check(RankContext context) {
        if (context.test().world() == 1) {
            context.report(FindingKind.NO_PART, "there is nobody to wait for");
            return;
        }
        for (String name : names(context.test().mode())) {
            long closing;
            try (Communicator communicator = context.second()) {
                abort(context, communicator, name);
                closing = System.nanoTime();
            }
            Duration took = Duration.ofNanos(System.nanoTime() - closing);
            if (took.compareTo(WITHIN.plus(APART)) > 0) {
                context.report(FindingKind.BEHAVIOUR, "closing after an abort during " + name + " took " + took);
            }
            context.communicator().barrier();
        }
    }

    private static void abort(RankContext context, Communicator communicator, String name) {
        try (Step step = Operations.open(name, communicator, COUNT)) {
            step.run();
            context.communicator().barrier();
            if (context.rank() == context.test().world() - 1) {
                if (!Pause.until(
                        communicator::isAborted, UNTIL_ALL_WAIT.plus(WITHIN).plus(APART))) {
                    context.report(FindingKind.BEHAVIOUR, "an abort during " + name + " was not heard of");
                    communicator.abort(REASON);
                }
                requireAborted(context, name, step);
            } else {
                waitUntilAborted(context, communicator, name, step);
            }
        } catch (UnsupportedException _) {
            // there is no such operation here, for no rank
        }
    }

    private static void waitUntilAborted(RankContext context, Communicator communicator, String name, Step step) {
        Optional<DaemonTask<Duration>> abort = context.rank() == 0
                ? Optional.of(DaemonTask.start("conformance-abort", () -> abortAfterAWhile(communicator)))
                : Optional.empty();
        long start = System.nanoTime();
        requireAborted(context, name, step);
        requireWithin(context, "waking up from " + name, Duration.ofNanos(System.nanoTime() - start));
        abort.ifPresent(task -> requireWithin(context, "abort() during " + name, task.result()));
    }

    private static Duration abortAfterAWhile(Communicator communicator) {
        Pause.of(UNTIL_ALL_WAIT);
        long start = System.nanoTime();
        communicator.abort(REASON);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** Some ranks can make an operation a few times without the others: a root that sends, for example. */
    private static void requireAborted(RankContext context, String name, Step step) {
        long end = System.nanoTime() + context.timeout().toNanos();
        try {
            while (System.nanoTime() < end) {
                step.run();
            }
            context.report(FindingKind.BEHAVIOUR, name + " goes on although the communicator was aborted");
        } catch (AbortedException e) {
            if (!String.valueOf(e.getMessage()).contains(REASON)) {
                context.report(
                        FindingKind.BEHAVIOUR, "an abort during " + name + " does not say why: " + e.getMessage());
            }
        }
    }

    private static void requireWithin(RankContext context, String what, Duration took) {
        Duration most = UNTIL_ALL_WAIT.plus(WITHIN).plus(APART);
        if (took.compareTo(most) > 0) {
            context.report(FindingKind.BEHAVIOUR, what + " took " + took + "; right is " + most + " at most");
        }
    }
}
