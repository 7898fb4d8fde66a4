package org.mscclj.language;

import java.util.List;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.RankPlan;

/**
 * The collective of a program, and the numbers of chunks of its buffers.
 *
 * @param type the collective
 * @param ranks number of ranks
 * @param chunksPerSlice chunks of a slice: of each rank's part if a buffer holds one part for each rank, otherwise of
 *     the whole buffer
 * @param inPlace whether input and output share memory as the collective's in-place form does
 */
public record ProgramCollective(Collective type, int ranks, int chunksPerSlice, boolean inPlace) {
    /** Checks the numbers. */
    public ProgramCollective {
        if (ranks < 1) {
            throw InvalidArgumentException.of("ranks of " + type, ranks, "1 or more");
        }
        int slices = Math.max(type.inputSlices(ranks), type.outputSlices(ranks));
        if (chunksPerSlice < 1 || (long) slices * chunksPerSlice > Integer.MAX_VALUE) {
            throw InvalidArgumentException.of(
                    "chunks of a slice of " + type, chunksPerSlice, "1 to " + Integer.MAX_VALUE / slices);
        }
    }

    /**
     * Allreduce: every output is the reduction of all inputs. Buffers have {@code ranks · chunkFactor} chunks, so that
     * each rank can handle its own. The constructor takes any number of chunks.
     */
    public static ProgramCollective allReduce(int ranks, int chunkFactor, boolean inPlace) {
        if (chunkFactor < 1 || (long) ranks * chunkFactor > Integer.MAX_VALUE) {
            throw InvalidArgumentException.of(
                    "chunk factor of allreduce", chunkFactor, "1 to " + Integer.MAX_VALUE / Math.max(1, ranks));
        }
        return new ProgramCollective(Collective.ALLREDUCE, ranks, ranks * chunkFactor, inPlace);
    }

    /** Allgather: every output holds all inputs in rank order. In place, a rank's input is its part of its output. */
    public static ProgramCollective allGather(int ranks, int chunkFactor, boolean inPlace) {
        return new ProgramCollective(Collective.ALLGATHER, ranks, chunkFactor, inPlace);
    }

    /**
     * Reduce-scatter: a rank's output is its part of the reduction. In place, the output is the rank's part of its
     * input.
     */
    public static ProgramCollective reduceScatter(int ranks, int chunkFactor, boolean inPlace) {
        return new ProgramCollective(Collective.REDUCESCATTER, ranks, chunkFactor, inPlace);
    }

    /** All-to-all: part {@code k} of rank {@code r}'s output is part {@code r} of rank {@code k}'s input. */
    public static ProgramCollective allToAll(int ranks, int chunkFactor, boolean inPlace) {
        return new ProgramCollective(Collective.ALLTOALL, ranks, chunkFactor, inPlace);
    }

    /** Send-receive: every output is the input of exactly one other rank. */
    public static ProgramCollective sendRecv(int ranks, int chunkFactor, boolean inPlace) {
        return new ProgramCollective(Collective.SENDRECV, ranks, chunkFactor, inPlace);
    }

    /** Broadcast: every output is the root's input. */
    public static ProgramCollective broadcast(int ranks, int chunkFactor, boolean inPlace) {
        return new ProgramCollective(Collective.BROADCAST, ranks, chunkFactor, inPlace);
    }

    /** Reduce: the root's output is the reduction of all inputs. */
    public static ProgramCollective reduce(int ranks, int chunkFactor, boolean inPlace) {
        return new ProgramCollective(Collective.REDUCE, ranks, chunkFactor, inPlace);
    }

    /** Scatter: a rank's output is its part of the root's input. */
    public static ProgramCollective scatter(int ranks, int chunkFactor, boolean inPlace) {
        return new ProgramCollective(Collective.SCATTER, ranks, chunkFactor, inPlace);
    }

    /** Gather: the root's output holds all inputs in rank order. */
    public static ProgramCollective gather(int ranks, int chunkFactor, boolean inPlace) {
        return new ProgramCollective(Collective.GATHER, ranks, chunkFactor, inPlace);
    }

    /** Chunks of each rank's input. */
    public int inputChunks() {
        return chunksPerSlice * type.inputSlices(ranks);
    }

    /** Chunks of each rank's output. */
    public int outputChunks() {
        return chunksPerSlice * type.outputSlices(ranks);
    }

    /** Chunks of the larger buffer. */
    int maxChunks() {
        return Math.max(inputChunks(), outputChunks());
    }

    /** A rank without operations. */
    RankPlan idle(int rank) {
        return new RankPlan(
                rank,
                inputChunks(),
                outputChunks(),
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }
}
