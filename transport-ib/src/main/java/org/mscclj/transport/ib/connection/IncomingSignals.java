package org.mscclj.transport.ib.connection;

import org.mscclj.transport.ib.ffm.CompletionQueue;
import org.mscclj.transport.ib.ffm.CompletionStatus;
import org.mscclj.transport.ib.ffm.QueuePair;
import org.mscclj.transport.ib.memory.RegisteredMemories;

/**
 * Signals of the peer that are no atomic operations: the peer writes an entry of a ring, and a receive tells that the
 * entry has arrived, after everything that the peer wrote before. The thread of the adapter counts them.
 *
 * <p>The lock keeps the queue pair from being closed meanwhile.
 */
final class IncomingSignals {
    private final ControlBlock control;
    private final RegisteredMemories memories;
    private final CompletionQueue arrivals;
    private final QueuePair pair;
    private boolean open = true;

    /**
     * Posts the receives.
     *
     * @param arrivals the queue of their completions, which announces them
     * @param pair the queue pair of the peer's signals, bound to its port
     */
    IncomingSignals(ControlBlock control, RegisteredMemories memories, CompletionQueue arrivals, QueuePair pair) {
        this.control = control;
        this.memories = memories;
        this.arrivals = arrivals;
        this.pair = pair;
        for (int i = 0; i < ControlBlock.RECEIVES; i++) {
            pair.postReceive();
        }
        arrivals.requestEvent();
    }

    /**
     * Counts the signals that have arrived; returns their number. By the thread of the adapter.
     *
     * @throws org.mscclj.api.error.BackendException if the adapter takes no more receives
     */
    synchronized int take() {
        int taken = 0;
        if (open) {
            arrivals.requestEvent(); // before the last look: a signal that comes later is announced
            for (int count = arrivals.poll(); count > 0; count = arrivals.poll()) {
                for (int i = 0; i < count; i++) {
                    if (arrivals.status(i) != CompletionStatus.SUCCESS) {
                        return taken; // the queue pair has ended, which its other completions explain
                    }
                    int slot = arrivals.immediate(i);
                    if (slot >= 0 && slot < ControlBlock.RING) {
                        memories.raise(control.signalledMemory(slot), control.signalledOffset(slot));
                        taken++;
                    }
                    pair.postReceive();
                }
            }
        }
        return taken;
    }

    /** Takes no more signals; returns when none is being taken. */
    synchronized void close() {
        open = false;
    }
}
