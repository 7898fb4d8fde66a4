package org.mscclj.runtime.recorder;

import java.util.List;
import java.util.stream.Collectors;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * A launch at work of which nobody was told: a replay by other software. It has no number among the launches of this
 * rank.
 *
 * @param plan what is launched
 * @param number changes with each launch of the plan
 * @param operations those of the plan of which graphs may have launches; which one it is cannot be told
 * @param mayTakeNanos how long the one may take that was given most time; 0 if none was given a time of its own
 */
public record ForeignLaunch(Object plan, long number, List<RecordedOperation> operations, long mayTakeNanos) {
    private static final int MOST_TOLD = 3;

    /** Copies the list. */
    public ForeignLaunch {
        operations = List.copyOf(operations);
    }

    /** Whether it is the launch that somebody has seen before. */
    public boolean is(ForeignLaunch before) {
        return plan.equals(before.plan) && number == before.number;
    }

    /** What it may be. */
    public String words() {
        List<String> all =
                operations.stream().map(RecordedOperation::words).distinct().toList();
        return all.stream().limit(MOST_TOLD).collect(Collectors.joining(", or "))
                + (all.size() > MOST_TOLD ? ", or one of " + (all.size() - MOST_TOLD) + " more" : "");
    }

    /** Whether it consists of messages: then not all ranks launch it. */
    public boolean isOfMessages() {
        return operations.getFirst().transfers().isPresent();
    }

    /** The messages of it that have not moved yet. Neither blocks nor calls a driver. */
    public List<PendingTransfer> pending() {
        return operations.stream()
                .map(operation -> operation.pending(RecordedOperation.REPLAY))
                .filter(pending -> !pending.isEmpty())
                .findFirst()
                .orElseGet(List::of);
    }

    /**
     * Ranks that have begun fewer launches of the plan than this one, as far as that can be seen from here. May call a
     * driver, and so never return.
     */
    public List<Integer> behind() {
        return operations.getFirst().behind();
    }
}
