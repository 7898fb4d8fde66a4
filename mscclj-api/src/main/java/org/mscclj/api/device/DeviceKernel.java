package org.mscclj.api.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A kernel of the application, loaded on a device. Safe for use by several threads. */
public interface DeviceKernel extends AutoCloseable {
    /** The function's name. */
    String name();

    /** Number of parameters of the function, which is the number of argument words of a launch. */
    int parameterCount();

    /** The largest number of threads of a block. */
    int maxThreads();

    /**
     * The number of blocks that are resident on the device at once if nothing else runs there. At most this number of
     * blocks may wait for each other. Other waiting kernels on the device, such as plans of communicators, reduce the
     * number; see {@link #launch}.
     *
     * @param threads of a block
     * @param sharedBytes of a block, as in {@link #launch}
     */
    int maxBlocks(int threads, int sharedBytes);

    /**
     * Enqueues a launch. Does not block. All resources that the kernel uses, the stream included, must stay open until
     * the launch has ended.
     *
     * <p>Blocks that wait for each other must all be resident at once. So a kernel whose source includes a file of the
     * device library by which threads wait (channels, windows, syncers, semaphores) reserves multiprocessor capacity
     * for all blocks of a launch, beside all other kernels of this process that may wait on the device: plans of
     * communicators, and other kernels. The reservation counts once for each stream on which the kernel is launched or
     * captured, with the size of its largest launch there, until the stream or the kernel is closed. Replays of a graph
     * count as launches on the captured stream: while replays run on another stream, do not launch this kernel on the
     * captured stream. Other kernels reserve nothing.
     *
     * <p>A launch allocates nothing, except the first launch on a stream of a kernel that may wait, the first launch
     * with a given number of threads and bytes, and a launch with more blocks than before.
     *
     * @param stream of the same device; it may be captured
     * @param blocks number of blocks
     * @param threads threads of a block
     * @param sharedBytes dynamic shared memory of a block, in bytes; up to 48 KiB with what the kernel declares
     * @param arguments native memory, 8-byte aligned, with one word of 8 bytes for each parameter of the function, in
     *     order: an address or a 64-bit number as it is, a narrower number in the first bytes of its word. The call
     *     reads it before it returns
     * @throws org.mscclj.api.error.InvalidArgumentException if the arguments do not fit the function, or the stream is
     *     of another device
     * @throws org.mscclj.api.error.UnsupportedException if the device lacks the capacity for a kernel that may wait;
     *     the message states the reserved capacity. Nothing was launched
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

    /** Unloads the kernel. Its launches, and graphs that contain them, must have ended. Idempotent. */
    @Override
    void close();
}
