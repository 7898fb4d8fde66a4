package org.mscclj.runtime.communicator;

/** When the memory of a communicator, which peers may access, is freed. */
public interface Lifetime {
    /**
     * A communicator is closed: its launches have ended, and it accesses nobody's memory any more.
     *
     * @param release frees its memory, now or later
     */
    void closed(Runnable release);
}
