package org.mscclj.gpu.module;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.LaunchCalls;
import org.mscclj.posix.HeapBlock;
import org.mscclj.posix.NativeMemory;

/**
 * The sizes of a launch that may begin before earlier work of its stream has ended, so that the GPU starts its blocks
 * meanwhile. Only for kernels that wait for that work themselves ({@code awaitEarlierKernels}). Such a kernel lets the
 * next one begin behind that wait, so that at most two launches of a stream have blocks on the GPU at once. It does so
 * only if capacity for two launches of its own size is reserved ({@code LaunchHeader.letsNext}): then the smaller one
 * of any two such launches fits beside the larger one. Used under the lock of the queue that launches.
 */
public final class EarlyLaunch implements AutoCloseable {
    private final HeapBlock block;
    private final MemorySegment description;
    private final int blocks;
    private final int threads;

    private EarlyLaunch(LaunchCalls calls, long bytes, int blocks, int threads) {
        this.block = HeapBlock.zeroed(bytes, Long.BYTES);
        this.description = NativeMemory.range(block.address(), bytes, Arena.global());
        this.blocks = blocks;
        this.threads = threads;
        calls.describeEarly(description, blocks, threads);
    }

    /**
     * Describes early launches of a number of blocks with a number of threads each; empty if the GPU or its driver has
     * no such launches.
     */
    public static Optional<EarlyLaunch> of(DeviceContext context, int blocks, int threads) {
        LaunchCalls calls = context.driver().launches();
        long bytes = calls.earlyBytes(context.architecture());
        return bytes == 0 ? Optional.empty() : Optional.of(new EarlyLaunch(calls, bytes, blocks, threads));
    }

    MemorySegment description() {
        return description;
    }

    @Override
    public String toString() {
        return blocks + " blocks of " + threads + " threads, early";
    }

    /** Frees the description. No launch may use it any more. */
    @Override
    public void close() {
        block.close();
    }
}
