package org.mscclj.api.error;

import java.util.List;

/** An operation did not end in time. The message names it and the ranks that did not arrive. */
public final class OperationTimeoutException extends MsccljException {
    private static final long serialVersionUID = 1L;

    /** The ranks that had not arrived; a plain array of boxed values keeps the exception serializable. */
    private final Integer[] missingRanks;

    /**
     * An exception for an operation.
     *
     * @param message the operation, its sequence number, the time waited, and the missing ranks
     * @param missingRanks the ranks that had not arrived, ascending; empty if all had arrived, or if the ranks are not
     *     known
     */
    public OperationTimeoutException(String message, List<Integer> missingRanks) {
        super(message);
        this.missingRanks = missingRanks.toArray(Integer[]::new);
    }

    /** The ranks that had not arrived, ascending; empty if all had arrived, or if the ranks are not known. */
    public List<Integer> missingRanks() {
        return List.of(missingRanks);
    }
}
