package org.mscclj.language.program;

/** The peers whose memory each rank must be able to map. */
public enum MappedPeers {
    /** All other ranks. */
    ALL,
    /** The other ranks of its node. */
    SAME_NODE,
    /** None. */
    NONE
}
