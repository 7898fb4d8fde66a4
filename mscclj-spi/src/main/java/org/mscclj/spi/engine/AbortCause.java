package org.mscclj.spi.engine;

/** The cause that has ended a communicator. */
public enum AbortCause {
    /** A caller has requested the abort. */
    REQUESTED,
    /** A rank has ended, or cannot be reached. */
    RANK_LOST,
    /** An operation exceeded its timeout. */
    LATE,
    /** A rank cannot continue: its device or a transport has failed, or the calls of the ranks do not match. */
    FAILED
}
