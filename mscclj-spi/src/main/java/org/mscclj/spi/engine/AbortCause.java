package org.mscclj.spi.engine;

/** What has ended a communicator. */
public enum AbortCause {
    /** Somebody wanted that. */
    REQUESTED,
    /** A rank has ended, or cannot be reached. */
    RANK_LOST,
    /** An operation was late. */
    LATE,
    /** A rank cannot go on: its device or a transport has failed, or what ranks call does not match. */
    FAILED
}
