package org.mscclj.gpu.engine;

import org.mscclj.gpu.queue.DeferredRelease;
import org.mscclj.gpu.stream.GpuStream;

/** What a launch enqueues. Callers of {@link #launch} hold the lock of the queue. */
interface LaunchBody {
    /** Whether the launch moves nothing. */
    boolean isEmpty();

    /** The number of kernels of a launch, or of other work that takes as much of the driver's capacity. */
    long count();

    /** The number of words of the host that a launch writes when it ends. */
    int endWords();

    /**
     * Enqueues the work. Allocates nothing.
     *
     * @param endWord address of the first end word
     * @param number the number that the work writes to each end word when it ends; 0 for none
     */
    void launch(GpuStream stream, long endWord, long number);

    /** Whether the last call of {@link #launch} has enqueued something, even if it failed later. */
    boolean hasBegun();

    /**
     * Whether the last call of {@link #launch} may have enqueued something of which {@link #hasBegun} does not know.
     */
    boolean mayHaveBegun();

    /** Frees what no graph reads, and leaves the rest to {@code remains}. */
    void close(DeferredRelease remains);

    /** Frees everything. For launches that were never made. */
    void close();
}
