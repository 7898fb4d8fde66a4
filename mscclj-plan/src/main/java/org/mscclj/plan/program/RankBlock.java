package org.mscclj.plan.program;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.sketch.BlockSketch;

/**
 * One thread block of a program in the making, and the rank that it belongs to. Peers come in the order in which a rank should reach them:
 * each starts with the next rank, so that not all crowd upon one.
 */
record RankBlock(ProgramSpec spec, int rank, BlockSketch sketch) {
    /** What one thread block of a rank does. */
    @FunctionalInterface
    interface Writer {
        void write(RankBlock block);
    }

    int ranks() {
        return spec.ranks();
    }

    boolean isRoot() {
        return rank == spec.root();
    }

    /** The last rank. */
    boolean isLast() {
        return rank == ranks() - 1;
    }

    int[] peers() {
        return IntStream.range(1, ranks())
                .map(distance -> (rank + distance) % ranks())
                .toArray();
    }

    static ChunkRef own(BufferType buffer, int chunk) {
        return new ChunkRef.Local(buffer, chunk, 1);
    }

    ChunkRef of(int peer, BufferType buffer, ChannelType type, int chunk) {
        return sketch.of(peer, buffer, type, chunk, 1);
    }

    /** Copies a chunk of this rank. */
    void copy(BufferType from, int chunk, BufferType to, int place) {
        sketch.local(DataKind.COPY, List.of(own(from, chunk)), List.of(own(to, place)));
    }

    /** Copies the chunks of all peers, which lie in order of ranks from the given ones on. */
    void copyForPeers(BufferType from, int firstChunk, BufferType to, int firstPlace) {
        for (int peer : peers()) {
            copy(from, firstChunk + peer, to, firstPlace + peer);
        }
    }

    /** Copies from input to output, which is one memory in place. */
    void keep(int inputChunk, int outputChunk) {
        if (!spec.inPlace()) {
            copy(BufferType.INPUT, inputChunk, BufferType.OUTPUT, outputChunk);
        }
    }

    /** Stores, for every peer, a chunk of the input into a slot of that peer's scratch: plain or as packets. */
    void put(DataKind kind, IntUnaryOperator chunkFor, int slot) {
        List<ChunkRef> sources = new ArrayList<>();
        List<ChunkRef> destinations = new ArrayList<>();
        for (int peer : peers()) {
            sources.add(own(BufferType.INPUT, chunkFor.applyAsInt(peer)));
            destinations.add(of(peer, BufferType.SCRATCH, ChannelType.MEMORY, slot));
        }
        sketch.connect(ChannelType.MEMORY, peers()).remote(kind, ChannelType.MEMORY, sources, destinations);
    }

    /** Reads a chunk of every peer into the peer's part of the output. */
    void gather(BufferType from, int chunk) {
        List<ChunkRef> sources = new ArrayList<>();
        List<ChunkRef> destinations = new ArrayList<>();
        for (int peer : peers()) {
            sources.add(of(peer, from, ChannelType.MEMORY, chunk));
            destinations.add(own(BufferType.OUTPUT, peer));
        }
        sketch.remote(DataKind.GET, ChannelType.MEMORY, sources, destinations);
    }

    /** A chunk of the input and the peers' slots of scratch, all in rank order. */
    List<ChunkRef> inRankOrder(int inputChunk) {
        return IntStream.range(0, ranks())
                .mapToObj(from -> from == rank ? own(BufferType.INPUT, inputChunk) : own(BufferType.SCRATCH, from))
                .toList();
    }
}
