package org.mscclj.conformance.rank.abort;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.operation.Operations;
import org.mscclj.conformance.operation.Step;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.task.DaemonTask;
import org.mscclj.conformance.task.RunningClock;
import org.mscclj.spi.Feature;

/**
 * Aborts operation after operation, each on a communicator of its own. The last rank does not make the operation;
 * another thread of rank 0 aborts while the other ranks wait. All ranks, the last one included, learn of the abort
 * within the limit and with the reason, and the communicator can be closed.
 *
 * @param feature the check tries the operations that need this feature, and perhaps others; empty for operations that
 *     need none
 */
record AbortedOperationsCheck(Optional<Feature> feature) implements RankCheck {
    private static final String REASON = "conformance: aborted on purpose";
    private static final int COUNT = 1024;

    private List<String> names() {
        return Operations.names().stream()
                .filter(name -> feature.map(needed -> Operations.needs(name).contains(needed))
                        .orElse(Operations.needs(name).isEmpty()))
                .toList();
    }

    @Override
    public void check(RankContext context) {
        if (context.test().world() == 1) {
            context.report(FindingKind.NO_PART, "there is no rank to wait for");
            return;
        }
        for (String name : names()) {
            long closing;
            try (Communicator communicator = context.second()) {
                abort(context, communicator, name);
                closing = RunningClock.nanoTime();
            }
            FaultLimit.require(
                    context,
                    "closing after an abort during " + name,
                    Duration.ofNanos(RunningClock.nanoTime() - closing));
            context.communicator().barrier();
        }
    }

    private static void abort(RankContext context, Communicator communicator, String name) {
        Step step;
        try {
            step = Operations.open(name, communicator, COUNT);
        } catch (UnsupportedException e) {
            if (Operations.needs(name).size() < 2) {
                throw e;
            }
            return; // no rank has the other feature; where it exists, other rules judge it
        }
        try (step) {
            step.run();
            context.communicator().barrier();
            if (context.rank() == context.test().world() - 1) {
                if (!Pause.until(communicator::isAborted, AbortChecks.UNTIL_ALL_WAIT.plus(FaultLimit.of(context)))) {
                    context.report(FindingKind.BEHAVIOUR, "an abort during " + name + " was not heard of");
                    communicator.abort(REASON);
                }
                requireAborted(context, name, step);
            } else {
                waitUntilAborted(context, communicator, name, step);
            }
        }
    }

    private static void waitUntilAborted(RankContext context, Communicator communicator, String name, Step step) {
        Optional<DaemonTask<Duration>> abort = context.rank() == 0
                ? Optional.of(DaemonTask.start("conformance-abort", () -> abortAfterAWhile(communicator)))
                : Optional.empty();
        long start = RunningClock.nanoTime();
        requireAborted(context, name, step);
        FaultLimit.require(
                context,
                "waking up from " + name,
                Duration.ofNanos(RunningClock.nanoTime() - start),
                AbortChecks.UNTIL_ALL_WAIT);
        abort.ifPresent(task -> FaultLimit.require(context, "abort() during " + name, task.result()));
    }

    private static Duration abortAfterAWhile(Communicator communicator) {
        Pause.of(AbortChecks.UNTIL_ALL_WAIT);
        long start = RunningClock.nanoTime();
        communicator.abort(REASON);
        return Duration.ofNanos(RunningClock.nanoTime() - start);
    }

    /** Some ranks can make an operation a few times without the others: a root that sends, for example. */
    private static void requireAborted(RankContext context, String name, Step step) {
        long end = RunningClock.nanoTime() + context.timeout().toNanos();
        try {
            while (RunningClock.nanoTime() < end) {
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
}
