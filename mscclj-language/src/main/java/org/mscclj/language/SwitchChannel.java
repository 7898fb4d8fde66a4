package org.mscclj.language;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.SwitchGroup;

/** A multicast channel: one address that reaches the same buffer of several ranks. */
public final class SwitchChannel {
    private final ProgramBuilder program;
    private final List<Integer> ranks;
    private final BufferType buffer;
    private final Map<Integer, Integer> ids = new HashMap<>();

    private SwitchChannel(ProgramBuilder program, List<Integer> ranks, BufferType buffer) {
        this.program = program;
        this.ranks = List.copyOf(ranks);
        this.buffer = buffer;
    }

    static SwitchChannel open(ProgramBuilder program, List<Integer> ranks, BufferType buffer) {
        SwitchChannel channel = new SwitchChannel(program, ranks, buffer);
        SwitchGroup group = new SwitchGroup(buffer, ranks);
        ranks.forEach(
                rank -> channel.ids.put(rank, program.recorder().rank(rank).addSwitchChannel(group)));
        return channel;
    }

    /** The ranks of the group. */
    public List<Integer> ranks() {
        return ranks;
    }

    /** The channel as one of its members uses it. */
    public Member atRank(int rank) {
        if (!ids.containsKey(rank)) {
            throw program.misuse(
                    "rank " + rank + " uses a switch channel of ranks " + ranks + "; allowed: its members");
        }
        return new Member(this, rank);
    }

    /** A member's view of a switch channel. Offsets and sizes count chunks of the channel's buffer. */
    public static final class Member {
        private final SwitchChannel channel;
        private final int rank;

        private Member(SwitchChannel channel, int rank) {
            this.channel = channel;
            this.rank = rank;
        }

        /**
         * Reduces the chunks {@code offset} to {@code offset + size - 1} of all members. The block's next operation
         * must be the broadcast of {@code destination}, through this channel or another one of the same ranks: the
         * switch does both in one operation and stores no intermediate result.
         */
        public void reduce(int offset, int size, Chunk destination, int block) {
            operation("reduce", block).require(rank, destination).requirePlain(destination, all(offset, size));
            requireSize("reduce", size, destination, block);
            requireRange("reduce", offset, size, block);
            channel.program
                    .recorder()
                    .reduceThroughSwitch(
                            rank,
                            block,
                            new PendingReduction(channel, offset, size, destination, SourceLine.current()));
        }

        /** Stores a chunk of this rank in the chunks {@code offset} to {@code offset + size - 1} of all members. */
        public void broadcast(Chunk source, int offset, int size, int block) {
            operation("broadcast", block).require(rank, source).requirePlain(source, all(offset, size));
            requireSize("broadcast", size, source, block);
            requireRange("broadcast", offset, size, block);
            Chunk stored = all(offset, size);
            operation("broadcast", block).requireApart(stored, source);
            ChunkRef destination = reference(offset, size);
            Optional<PendingReduction> reduction = channel.program.recorder().takeReduction(rank, block);
            if (reduction.isEmpty()) {
                record("broadcast", DataKind.SWITCH_STORE, source.local(), destination, block);
                return;
            }
            PendingReduction reduced = reduction.get();
            ProgramCollective collective = channel.program.spec().collective();
            Member from = reduced.channel().atRank(rank);
            operation("broadcast", block).requireApart(stored, from.all(reduced.offset(), reduced.size()));
            if (!reduced.channel().ranks.equals(channel.ranks)
                    || !reduced.result().equals(source)
                    || !source.range(collective).equals(stored.range(collective))) {
                throw operation("broadcast", block)
                        .misuse("the reduction through a switch into " + reduced.result()
                                + " is followed by the broadcast of "
                                + source + " into " + stored
                                + "; allowed: result, source and this rank's part of what is stored are the"
                                + " same chunks, and both channels have the same ranks");
            }
            record(
                    "broadcast",
                    DataKind.SWITCH_REDUCE_STORE,
                    from.reference(reduced.offset(), reduced.size()),
                    destination,
                    block);
        }

        /** Waits for packets in this rank's scratch, and stores them as packets in the scratch of all members. */
        public void broadcastPackets(Chunk source, int offset, int size, int block) {
            operation("broadcastPackets", block).require(rank, source).requirePackets(source, all(offset, size));
            requireSize("broadcastPackets", size, source, block);
            requireRange("broadcastPackets", offset, size, block);
            record("broadcastPackets", DataKind.SWITCH_STORE_PACKETS, source.local(), reference(offset, size), block);
        }

        private void requireSize(String name, int size, Chunk chunk, int block) {
            if (chunk.size() != size) {
                throw operation(name, block)
                        .misuse(chunk + " should have " + size + " chunks; allowed: as many chunks on both sides");
            }
        }

        private void requireRange(String name, int offset, int size, int block) {
            for (int member : channel.ranks) {
                int chunks = channel.program.recorder().rank(member).chunks(channel.buffer);
                if (offset < 0 || size < 0 || offset > chunks - size) {
                    throw operation(name, block)
                            .misuse("chunks [" + offset + ".." + (offset + size) + ") of buffer "
                                    + channel.buffer.letter() + " of rank " + member + "; allowed: within its " + chunks
                                    + " chunks");
                }
            }
        }

        /** This rank's part of the channel's memory. */
        private Chunk all(int offset, int size) {
            return new Chunk(channel.program.recorder(), rank, channel.buffer, offset, size);
        }

        private ChunkRef reference(int offset, int size) {
            return new ChunkRef.Multicast(channel.ids.getOrDefault(rank, 0), offset, size);
        }

        private void record(String name, DataKind kind, ChunkRef source, ChunkRef destination, int block) {
            operation(name, block)
                    .record(
                            kind,
                            Optional.of(ChannelType.SWITCH),
                            channelIds(source, destination),
                            List.of(source),
                            List.of(destination));
        }

        private static List<Integer> channelIds(ChunkRef... operands) {
            return Stream.of(operands)
                    .filter(ChunkRef.Multicast.class::isInstance)
                    .map(operand -> ((ChunkRef.Multicast) operand).switchChannelId())
                    .distinct()
                    .toList();
        }

        private DataRecorder operation(String name, int block) {
            return new DataRecorder(
                    channel.program.recorder(),
                    rank,
                    channel.program.alone(rank, block),
                    () -> name + " through a switch");
        }
    }
}
