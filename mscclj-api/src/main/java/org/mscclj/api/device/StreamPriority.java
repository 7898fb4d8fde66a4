package org.mscclj.api.device;

/** The priority of a stream's copies and kernels where several streams wait for a device. */
public enum StreamPriority {
    /** The priority of streams that are created without one. */
    NORMAL,
    /** Precedes streams of normal priority; running kernels are not interrupted. */
    HIGH
}
