package org.mscclj.runtime.recorder;

import java.util.List;
import java.util.stream.Collectors;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * A launch at work of which the runtime was not notified: a replay by other software. It has no number among the
 * launches of this rank.
 *
 * @param plan the plan that is launched
 * @param number changes with each launch of the plan
 * @param operations operations of the plan of which graphs may have launches; it is unknown which of them is launched
 * @param mayTakeNanos the longest time that any of them may take, in nanoseconds; 0 if none has a time of its own
 */
public record ForeignLaunch(Object plan, long number, List<RecordedOperation> operations, long mayTakeNanos) {
    private static final int MAX_REPORTED = 3;

    /** Copies the list. */
    public ForeignLaunch {
        operations = List.copyOf(operations);
    }

    /** Returns whether this is the launch that was seen before. */
    public boolean is(ForeignLaunch before) {
        return plan.equals(before.plan) && number == before.number;
    }

    /** Describes the operations that it may be. */
    public String describe() {
        List<String> all =
                operations.stream().map(RecordedOperation::describe).distinct().toList();
        return all.stream().limit(MAX_REPORTED).collect(Collectors.joining(", or "))
                + (all.size() > MAX_REPORTED ? ", or one of " + (all.size() - MAX_REPORTED) + " more" : "");
    }

    /** Returns whether it consists of point-to-point transfers: then not all ranks launch it. */
    public boolean isOfMessages() {
        return operations.getFirst().transfers().isPresent();
    }

    /** Returns its point-to-point transfers that have not moved yet. Neither blocks nor calls a driver. */
    public List<PendingTransfer> pending() {
        return operations.stream()
                .map(operation -> operation.pending(RecordedOperation.REPLAY))
                .filter(pending -> !pending.isEmpty())
                .findFirst()
                .orElseGet(List::of);
    }

    /**
     * Returns the ranks that have begun fewer launches of the plan than this rank, as far as this rank can read. May
     * call a driver, and so never return.
     */
    public List<Integer> behind() {
        return operations.getFirst().behind();
    }
}
