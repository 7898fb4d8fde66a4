package org.mscclj.api.device;

/** Whose copies and kernels go first where several streams wait for a device. */
public enum StreamPriority {
    /** What streams have that nobody gives a priority. */
    NORMAL,
    /** Before streams of normal priority; what runs is not interrupted. */
    HIGH
}
