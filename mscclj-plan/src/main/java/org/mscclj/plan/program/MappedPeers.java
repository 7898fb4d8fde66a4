package org.mscclj.plan.program;

/** Whose memory each rank must be able to map. */
public enum MappedPeers {
    /** That of all other ranks. */
    ALL,
    /** That of the other ranks of its node. */
    SAME_NODE,
    /** Nobody's. */
    NONE
}
