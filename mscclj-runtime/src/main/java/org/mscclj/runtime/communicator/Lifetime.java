package org.mscclj.runtime.communicator;

/** Decides when the memory of a communicator that peers may access is freed. */
public interface Lifetime {
    /**
     * Marks a communicator as closed: its launches have ended, and it no longer accesses memory of peers.
     *
     * @param release frees the communicator's memory; runs in this call or later
     */
    void closed(Runnable release);
}
