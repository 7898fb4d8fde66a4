package org.mscclj.api;

/** The kind of a {@link Fault}. */
public enum FaultKind {
    /** A launch has not ended in time; operations throw {@link org.mscclj.api.error.OperationTimeoutException}. */
    TIMEOUT,
    /** A rank has ended, or cannot be reached; operations throw {@link org.mscclj.api.error.RankLostException}. */
    RANK_LOST,
    /**
     * A rank cannot continue: its device or a transport has failed, or the calls of the ranks do not match. Operations
     * throw {@link org.mscclj.api.error.AbortedException}.
     */
    FAILURE
}
