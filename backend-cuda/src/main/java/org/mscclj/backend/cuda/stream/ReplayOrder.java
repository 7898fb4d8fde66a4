package org.mscclj.backend.cuda.stream;

import java.util.concurrent.locks.Lock;

/**
 * Something that launches must be ordered with, graphs of them included. A replay waits for room, takes the lock, follows, is enqueued, takes its place, gives
 * the lock back, and is told. Whatever may fail comes before it is enqueued, so that a replay that is refused has changed nothing.
 */
public interface ReplayOrder {
    /** Who takes the locks of several takes that of the least number first. Different for all of a process. */
    long number();

    /** Held from {@link #follow} to {@link #beginReplay}. */
    Lock lock();

    /** Waits while so many launches are in flight that the driver might make the next one wait. Without the lock. */
    void awaitRoom();

    /**
     * Orders what is enqueued next on a stream after the launch before.
     *
     * @throws org.mscclj.api.error.MsccljException if nothing may be launched any more, and why
     */
    void follow(CudaStream stream);

    /**
     * Counts what has been enqueued on a stream. Allocates nothing.
     *
     * @param shared whether the graph has a launch that all ranks of the communicator make
     * @return its ticket
     */
    long beginReplay(CudaStream stream, boolean shared);

    /** Tells who wants to know of replays. Without the lock. */
    void replayed(long ticket);
}
