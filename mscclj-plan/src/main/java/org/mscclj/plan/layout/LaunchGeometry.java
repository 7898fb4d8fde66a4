package org.mscclj.plan.layout;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;

/**
 * The layout of one message over a plan: the size of a slice, and the rounds.
 *
 * <p>A plan with scratch handles at most {@code chunksPerSlice · slotBytes} bytes of each slice in a round, because a
 * chunk must fit its scratch slot; larger messages take several rounds, each of which is one launch. A plan without
 * scratch always takes one round.
 *
 * @param sliceBytes bytes of a slice: the whole buffer, or one rank's part
 * @param chunksPerSlice chunks of a slice; 0 if the plan refers to no chunks of input or output
 * @param alignment granularity of a chunk, in bytes
 * @param slotBytes payload bytes of a scratch slot; 0 if the plan has no scratch
 */
public record LaunchGeometry(long sliceBytes, int chunksPerSlice, int alignment, long slotBytes) {

    /** Checks the sizes. */
    public LaunchGeometry {
        if (sliceBytes < 0) {
            throw InvalidArgumentException.of("slice size", sliceBytes + " bytes", "0 or more");
        }
        if (slotBytes % alignment != 0) {
            throw InvalidArgumentException.of("scratch slot", slotBytes + " bytes", "a multiple of " + alignment);
        }
    }

    /**
     * The geometry of a message.
     *
     * @param plan a valid plan
     * @param sliceBytes bytes of a slice
     * @param slotBytes payload bytes of a scratch slot of the context, a multiple of the plan's alignment; ignored if
     *     the plan has no scratch
     */
    public static LaunchGeometry of(Plan plan, long sliceBytes, long slotBytes) {
        boolean scratch = plan.ranks().stream().anyMatch(rank -> rank.scratchChunks() > 0);
        return new LaunchGeometry(sliceBytes, chunksPerSlice(plan), plan.bufferAlignment(), scratch ? slotBytes : 0);
    }

    /** The geometry of another message of the same plan and context. */
    public LaunchGeometry ofSlices(long bytes) {
        return new LaunchGeometry(bytes, chunksPerSlice, alignment, slotBytes);
    }

    /**
     * The number of chunks of a slice, which is equal for all buffers and ranks of a valid plan; 0 if no buffer has
     * chunks. Only plans of collective {@code test} may have no chunks, or buffers with different numbers of chunks, as
     * MSCCL++ writes them: the largest number counts, and the others use the beginning of their buffers.
     *
     * @throws InvalidArgumentException if the numbers differ
     */
    public static int chunksPerSlice(Plan plan) {
        int world = plan.worldSize();
        int agreed = 0;
        for (var rank : plan.ranks()) {
            int input = slice(
                    plan,
                    rank.rank(),
                    "input",
                    rank.inputChunks(),
                    plan.collective().inputSlices(world));
            int output = slice(
                    plan,
                    rank.rank(),
                    "output",
                    rank.outputChunks(),
                    plan.collective().outputSlices(world));
            agreed = agree(plan, rank.rank(), agreed, input);
            agreed = agree(plan, rank.rank(), agreed, output);
        }
        return agreed;
    }

    private static int agree(Plan plan, int rank, int agreed, int chunks) {
        if (plan.collective() != Collective.TEST && agreed != 0 && chunks != agreed) {
            throw new InvalidArgumentException("plan " + plan.label() + ", rank " + rank + ": a slice has " + chunks
                    + " chunks, where another buffer or rank has " + agreed
                    + "; all buffers of all ranks must agree");
        }
        return Math.max(agreed, chunks);
    }

    private static int slice(Plan plan, int rank, String buffer, int chunks, int slices) {
        if (chunks % slices != 0 || (chunks == 0 && plan.collective() != Collective.TEST)) {
            throw new InvalidArgumentException("plan " + plan.label() + ", rank " + rank + ": " + buffer + "_chunks is "
                    + chunks + "; allowed for " + plan.collective() + ": a positive multiple of " + slices);
        }
        return chunks / slices;
    }

    /** Bytes of each slice that a full round handles. */
    public long fullRoundBytes() {
        return slotBytes == 0 ? sliceBytes : Math.multiplyExact(slotBytes, Math.max(1, chunksPerSlice));
    }

    /** Number of rounds; 0 for an empty message of a plan that refers to chunks, which needs no launch. */
    public long rounds() {
        if (chunksPerSlice == 0) {
            return 1;
        }
        return sliceBytes == 0 ? 0 : (sliceBytes - 1) / fullRoundBytes() + 1;
    }

    /** The layout of round {@code t}, {@code 0 <= t < rounds()}. */
    public RoundLayout round(long t) {
        if (t < 0 || t >= rounds()) {
            throw InvalidArgumentException.of("round", t, "0 to " + (rounds() - 1));
        }
        long offset = slotBytes == 0 ? 0 : t * fullRoundBytes();
        long bytes = Math.min(fullRoundBytes(), sliceBytes - offset);
        return new RoundLayout(
                sliceBytes, offset, bytes, chunksPerSlice, chunkBytes(bytes, chunksPerSlice, alignment), slotBytes);
    }

    /** {@code align · ceil(bytes / (chunks · align))}: the common size of all chunks, in bytes. */
    public static long chunkBytes(long bytes, int chunks, int alignment) {
        if (chunks == 0 || bytes == 0) {
            return 0;
        }
        long unit = Math.multiplyExact((long) chunks, (long) alignment);
        return Math.multiplyExact((bytes - 1) / unit + 1, (long) alignment);
    }
}
