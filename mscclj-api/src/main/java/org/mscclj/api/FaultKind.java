package org.mscclj.api;

/** What kind of {@link Fault} has ended a communicator. */
public enum FaultKind {
    /** A launch has not ended in time; operations throw {@link org.mscclj.api.error.OperationTimeoutException}. */
    TIMEOUT,
    /** A rank has ended, or cannot be reached; operations throw {@link org.mscclj.api.error.RankLostException}. */
    RANK_LOST,
    /**
     * A rank cannot go on: its device or a transport has failed, or what the ranks call does not match. Operations
     * throw {@link org.mscclj.api.error.AbortedException}.
     */
    FAILURE
}
