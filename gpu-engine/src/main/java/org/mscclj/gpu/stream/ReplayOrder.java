package org.mscclj.gpu.stream;

import java.util.concurrent.locks.Lock;

/**
 * An order of launches that includes replays of graphs. A replay waits for capacity, takes the lock, follows the launch
 * before, is enqueued, takes its ticket, sets a mark, releases the lock, and notifies its listeners. Every step that
 * may refuse the replay comes before it is enqueued, so a refused replay has changed nothing.
 */
public interface ReplayOrder {
    /** A number that is unique in this process. */
    static long newNumber() {
        return ReplayNumbers.next();
    }

    /**
     * The position in the order of locks: a thread that takes several locks takes the lock with the least number first.
     * Unique in this process: {@link #newNumber}.
     */
    long number();

    /** Held from {@link #follow} to {@link #markReplay}. */
    Lock lock();

    /**
     * Waits while the work in flight could make the driver block the next launch. Ends early at an abort, or when
     * launches are refused. Called without the lock.
     *
     * @param more the number of kernels of the next launch
     */
    void awaitCapacity(long more);

    /**
     * Orders the next work on a stream after the launch before.
     *
     * @throws org.mscclj.api.error.MsccljException with the reason if no launch is allowed any more
     */
    void follow(GpuStream stream);

    /**
     * Counts a replay that has been enqueued on a stream. Allocates nothing.
     *
     * @param shared whether the graph has a launch that all ranks of the communicator make
     * @return its ticket
     */
    long beginReplay(GpuStream stream, boolean shared);

    /**
     * Sets a mark after the last enqueued work, unless one is set already, so that its end can be found out later.
     * Called after all orders have their tickets, because the driver may fail.
     */
    void markReplay();

    /** Notifies the listeners of replays. Called without the lock. */
    void replayed(long ticket);
}
