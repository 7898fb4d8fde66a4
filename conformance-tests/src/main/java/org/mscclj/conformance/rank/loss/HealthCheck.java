package org.mscclj.conformance.rank.loss;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.Health;
import org.mscclj.api.Work;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.Pause;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.message.MessageBuffer;

/**
 * Checks the health of processes. A send and its receive that differ in size end a communicator, and each rank finds
 * this fault in the health of its process. An abort does not count as a fault.
 */
final class HealthCheck implements RankCheck {
    private static final String FAILING = "conformance-fault";
    private static final String ABORTED = "conformance-no-fault";

    @Override
    public void check(RankContext context) {
        if (context.test().world() == 1) {
            context.report(FindingKind.NO_PART, "there is no rank to differ from");
            return;
        }
        fail(context);
        abort(context);
    }

    private static void fail(RankContext context) {
        int last = context.test().world() - 1;
        long before = faults(FAILING, context.rank());
        long allBefore = all();
        try (Communicator communicator = child(context, FAILING);
                MessageBuffer message = new MessageBuffer(communicator, context.rank() == last ? 600 : 400)) {
            communicator.barrier(); // all have allocated: a waiting kernel blocks allocations on its device
            endInVain(context, communicator, message, last);
            boolean more = faults(FAILING, context.rank()) > before;
            if (!more && (Health.ofProcess().moreFaults() == 0 || all() == allBefore)) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "a message whose ends differ has ended communicator " + FAILING + " on rank "
                                + context.rank() + ", but the health of its process does not tell: "
                                + Health.ofProcess());
            }
            if (Health.ofProcess().healthy()) {
                context.report(FindingKind.BEHAVIOUR, "a process that has had a fault says that it is healthy");
            }
            context.communicator().barrier();
        }
    }

    private static void endInVain(RankContext context, Communicator communicator, MessageBuffer message, int last) {
        try {
            Optional<Work> work = context.rank() == last
                    ? Optional.of(communicator.send(message.message(), 0))
                    : context.rank() == 0
                            ? Optional.of(communicator.receive(message.message(), last))
                            : Optional.empty();
            work.ifPresent(context::join);
            communicator.barrier();
            context.report(FindingKind.BEHAVIOUR, "a message of 600 bytes was received as one of 400");
        } catch (AbortedException expected) {
            return; // the fault
        }
    }

    private static void abort(RankContext context) {
        try (Communicator communicator = child(context, ABORTED)) {
            context.communicator().barrier(); // otherwise other ranks may still be opening it
            if (context.rank() == 0) {
                communicator.abort("conformance: aborted on purpose");
            }
            if (!Pause.until(communicator::isAborted, FaultLimit.of(context))) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "an abort was not heard of within " + DurationText.of(FaultLimit.of(context)));
            }
            if (faults(ABORTED, context.rank()) > 0) {
                context.report(FindingKind.BEHAVIOUR, "an abort counts as a fault: " + Health.ofProcess());
            }
        }
    }

    private static Communicator child(RankContext context, String name) {
        List<Integer> all = IntStream.range(0, context.test().world()).boxed().toList();
        return context.communicator().split(all, name).orElseThrow();
    }

    /**
     * Returns the faults of a rank of communicators of a name. The health of a process lists only its first
     * communicators.
     */
    private static long faults(String communicator, int rank) {
        return Health.ofProcess().faults().stream()
                .filter(fault -> fault.communicator().equals(communicator) && fault.rank() == rank)
                .count();
    }

    private static long all() {
        Health health = Health.ofProcess();
        return health.faults().size() + health.moreFaults();
    }
}
