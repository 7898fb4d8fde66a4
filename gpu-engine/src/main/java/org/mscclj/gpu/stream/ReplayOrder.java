package org.mscclj.gpu.stream;

import java.util.concurrent.locks.Lock;

/**
 * Something that launches must be ordered with, graphs of them included. A replay waits for room, takes the lock,
 * follows, is enqueued, takes its place, sets a mark, gives the lock back, and is told. Whatever may refuse it comes
 * before it is enqueued, so that a replay that is refused has changed nothing.
 */
public interface ReplayOrder {
    /** A number that no other of this process has. */
    static long newNumber() {
        return ReplayNumbers.next();
    }

    /**
     * Who takes the locks of several takes that of the least number first. Different for all of a process:
     * {@link #newNumber}.
     */
    long number();

    /** Held from {@link #follow} to {@link #markReplay}. */
    Lock lock();

    /**
     * Waits while so much is in flight that the driver might make the next launch wait; until an abort, or until
     * nothing may be launched any more. Without the lock.
     *
     * @param more how many kernels the next launch has
     */
    void awaitRoom(long more);

    /**
     * Orders what is enqueued next on a stream after the launch before.
     *
     * @throws org.mscclj.api.error.MsccljException if nothing may be launched any more, and why
     */
    void follow(GpuStream stream);

    /**
     * Counts what has been enqueued on a stream. Allocates nothing.
     *
     * @param shared whether the graph has a launch that all ranks of the communicator make
     * @return its ticket
     */
    long beginReplay(GpuStream stream, boolean shared);

    /**
     * Sets a mark behind what was enqueued last, unless one is set already, so that somebody can find out later that it
     * has ended. After all have their tickets: the driver may fail.
     */
    void markReplay();

    /** Tells who wants to know of replays. Without the lock. */
    void replayed(long ticket);
}
