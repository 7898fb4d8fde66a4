package org.mscclj.transport.ib.adapter;

/** Receives events of its queue pair, from the thread of the adapter. Its methods must not block or throw. */
public interface QueuePairOwner {
    /** Called when the queue pair has ended for a reason that no completion reports. */
    void ended(String reason);

    /** Called when completions may wait in a queue that the adapter's channel announces. */
    void announced();
}
