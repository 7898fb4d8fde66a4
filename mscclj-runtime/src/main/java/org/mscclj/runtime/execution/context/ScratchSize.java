package org.mscclj.runtime.execution.context;

import java.math.BigInteger;
import java.util.stream.IntStream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.spi.engine.ContextLayout;

/** Computes the size of the scratch of a plan's context; equal on all ranks. */
final class ScratchSize {
    /** Minimum size of a slot, in bytes: small messages of all sizes share one context. */
    private static final long MIN_SLOT = 4096;

    /**
     * Size of all slots of small messages together, in bytes. If there are many slots, as with more than 8 ranks, each
     * is smaller than {@link #MIN_SLOT}, so that slots share pages: a rank touches all of them in each launch.
     */
    private static final long SMALL_SCRATCH = 128 << 10;

    private ScratchSize() {}

    /** Returns the maximum size of the scratch over all ranks, in bytes. */
    static long mostBytes(Plan plan, long slotBytes) {
        return IntStream.range(0, plan.worldSize())
                .mapToLong(rank -> ContextLayout.halfBytes(plan, rank, slotBytes) * (plan.doubleScratch() ? 2 : 1))
                .max()
                .orElse(0);
    }

    /**
     * Returns the slot size for a message: enough for its chunks, rounded up so that messages of similar size share a
     * context, within the limit. The limit depends on the options of the executor, and must be equal on all ranks.
     */
    static long slotBytes(Plan plan, long sliceBytes, ExecutorOptions options) {
        long limit = largestSlotBytes(plan, options);
        if (limit == 0) {
            return 0;
        }
        long align = plan.bufferAlignment();
        long wanted = Math.max(
                align,
                LaunchGeometry.chunkBytes(sliceBytes, LaunchGeometry.chunksPerSlice(plan), plan.bufferAlignment()));
        long least = Math.clamp(Long.highestOneBit(SMALL_SCRATCH / bytesForEach(plan, widest(plan))), 1, MIN_SLOT);
        long rounded = wanted >= limit ? limit : Math.max(least, Long.highestOneBit(2 * wanted - 1));
        return Math.min(limit, (rounded + align - 1) / align * align);
    }

    /**
     * Returns the largest slot size within the limit for scratch; 0 if the plan has no scratch.
     *
     * @throws UnsupportedException if not even the smallest slots are within the limit
     */
    static long largestSlotBytes(Plan plan, ExecutorOptions options) {
        int widest = widest(plan);
        int most = plan.ranks().isEmpty() ? 0 : plan.ranks().get(widest).scratchChunks();
        if (most == 0) {
            return 0;
        }
        long align = plan.bufferAlignment();
        long bytesForEach = bytesForEach(plan, widest);
        long limit = options.scratchLimit() / bytesForEach / align * align;
        if (limit == 0) {
            throw new UnsupportedException("plan " + plan.label() + ", rank " + widest + ": " + most
                    + " scratch chunks take " + BigInteger.valueOf(bytesForEach).multiply(BigInteger.valueOf(align))
                    + " bytes at least, which is more than the limit of " + options.scratchLimit()
                    + "; use a plan with fewer, or raise " + ExecutorOptions.SCRATCH_LIMIT_VARIABLE);
        }
        return limit;
    }

    /** Returns the first rank with the most scratch. */
    private static int widest(Plan plan) {
        int widest = 0;
        for (int rank = 1; rank < plan.ranks().size(); rank++) {
            if (plan.ranks().get(rank).scratchChunks()
                    > plan.ranks().get(widest).scratchChunks()) {
                widest = rank;
            }
        }
        return widest;
    }

    /** Returns the bytes of scratch of a rank for each byte of a slot. */
    private static long bytesForEach(Plan plan, int rank) {
        return ContextLayout.halfBytes(plan, rank, 1) * (plan.doubleScratch() ? 2 : 1);
    }
}
