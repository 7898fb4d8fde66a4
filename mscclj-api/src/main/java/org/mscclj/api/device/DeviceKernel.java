package org.mscclj.api.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A user's kernel, loaded on a device. Safe for use by several threads. */
public interface DeviceKernel extends AutoCloseable {
    /** The function's name. */
    String name();

    /** Number of parameters of the function, which is the number of words that launches take. */
    int parameterCount();

    /** The most threads that a block may have. */
    int maxThreads();

    /**
     * How many blocks the device can hold at once if nothing else runs there. Blocks that wait for each other must not
     * be more; what else may wait on the device, plans of communicators for example, takes room too, as {@link #launch}
     * says.
     *
     * @param threads of a block
     * @param sharedBytes of a block, as in {@link #launch}
     */
    int maxBlocks(int threads, int sharedBytes);

    /**
     * Enqueues a launch. Does not block. What the kernel uses, the stream included, must stay open until it has ended.
     *
     * <p>Blocks that wait for others must all be on the device at once. So a kernel whose source includes a file of the
     * device library by which threads wait (channels, windows, syncers, semaphores) reserves room for all blocks of a
     * launch, beside everything else of this process that may wait on the device: plans of communicators, and other
     * kernels. What is reserved counts once for each stream on which the kernel is launched or captured, as large as
     * its largest launch there, until the stream or the kernel is closed. Replays of a graph count as launches on the
     * stream that was captured: while they run on another, nothing else of this kernel is to be launched there. Other
     * kernels reserve nothing.
     *
     * <p>Allocates nothing, but at the first launch of a kernel that may wait on a stream, or of so many threads and
     * bytes, or of more blocks than before.
     *
     * @param stream of the same device; it may be captured
     * @param blocks number of blocks
     * @param threads threads of a block
     * @param sharedBytes dynamic shared memory of a block, in bytes; up to 48 KiB with what the kernel declares
     * @param arguments native memory, 8-byte aligned, with one word of 8 bytes for each parameter of the function, in
     *     order: an address or a 64-bit number as it is, a narrower one in the first bytes of its word. It is read
     *     before the call returns
     * @throws org.mscclj.api.error.InvalidArgumentException if the arguments do not fit the function, or the stream is
     *     of another device
     * @throws org.mscclj.api.error.UnsupportedException if a kernel that may wait finds no room; says how much is
     *     reserved. Nothing was launched
     * @throws org.mscclj.api.error.BackendException if the driver refuses the launch
     */
    void launch(Stream stream, int blocks, int threads, int sharedBytes, MemorySegment arguments);

    /**
     * Enqueues a launch; see {@link #launch(Stream, int, int, int, MemorySegment)}. Allocates memory for the arguments,
     * and frees it.
     */
    default void launch(Stream stream, int blocks, int threads, int sharedBytes, long... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            launch(stream, blocks, threads, sharedBytes, arena.allocateFrom(ValueLayout.JAVA_LONG, arguments));
        }
    }

    /** Unloads it. Its launches, and graphs that contain some, must have ended. Idempotent. */
    @Override
    void close();
}
