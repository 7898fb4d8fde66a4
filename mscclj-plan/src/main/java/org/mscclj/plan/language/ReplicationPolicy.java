package org.mscclj.plan.language;

/** How the instances of a program share its chunks. */
public enum ReplicationPolicy {
    /** Every chunk is cut into as many chunks as there are instances, and each instance works on one of them. */
    INTERLEAVED,
    /** Chunks are not cut, so that there can be no more than one instance. */
    NONE
}
