package org.mscclj.language;

/** How the instances of a program divide its chunks. */
public enum ReplicationPolicy {
    /** Every chunk is split into one chunk for each instance. */
    INTERLEAVED,
    /** Chunks are not split, so there is exactly one instance. */
    NONE
}
