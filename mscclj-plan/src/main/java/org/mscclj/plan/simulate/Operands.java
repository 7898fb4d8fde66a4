package org.mscclj.plan.simulate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.layout.RoundLayout;

/** What one data operation of a block reads and writes, in padded bytes. */
final class Operands {
    private final Machine machine;
    private final BlockRun block;
    private final Operation.Data data;

    /** What this block handles of every operand, from its start. */
    private final long from;

    private final long length;

    Operands(Machine machine, BlockRun block, Operation.Data data) {
        this.machine = machine;
        this.block = block;
        this.data = data;
        RoundLayout layout = machine.layout();
        long whole = data.destinations().getFirst().size() * layout.chunkBytes();
        RoundLayout.Range share =
                RoundLayout.share(whole, data.share(), machine.plan().bufferAlignment());
        Operation.@Nullable Pipeline pipeline = block.cursor().pipeline();
        if (pipeline == null || data.kind().packets()) {
            this.from = share.start();
            this.length = share.length();
        } else {
            long done = Math.min(share.length(), block.cursor().iteration() * pipeline.unitSize());
            this.from = share.start() + done;
            this.length = Math.min(pipeline.unitSize(), share.length() - done);
        }
    }

    /** Bytes of each operand. */
    long length() {
        return length;
    }

    RoundLayout.Range range(ChunkRef reference) {
        return new RoundLayout.Range(reference.index() * machine.layout().chunkBytes() + from, length);
    }

    /** The rank whose buffer it is. */
    int owner(ChunkRef.Remote reference) {
        ChannelType type = data.channelType().orElse(ChannelType.MEMORY);
        int id = block.threadBlock().remoteBuffers(type).get(reference.bufferId());
        return block.rank().plan().remoteBuffers().get(id).rank();
    }

    private List<Integer> members(ChunkRef.Multicast reference) {
        int channel = block.threadBlock().switchChannels().get(reference.switchChannelId());
        return block.rank().plan().switchGroups().get(channel).ranks();
    }

    /** The packets that it waits for. */
    List<RoundLayout.Range> awaitedPackets() {
        List<ChunkRef> sources = switch (data.kind()) {
            case READ_PUT_PACKETS, UNPACK_PACKETS, SWITCH_STORE_PACKETS -> data.sources();
            case REDUCE_PACKETS, REDUCE_SEND_PACKETS, REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS ->
                data.sources().subList(1, data.sources().size());
            default -> List.of();
        };
        return sources.stream().map(this::range).toList();
    }

    /**
     * Packets that it writes.
     *
     * @param owner whose scratch
     * @param latency nanoseconds until they can be seen there
     */
    record Packets(int owner, RoundLayout.Range range, double latency) {}

    /** What it writes as packets, by all ways but port channels. */
    List<Packets> writtenPackets() {
        if (!data.kind().packets() || length == 0) {
            return List.of();
        }
        List<Packets> written = new ArrayList<>();
        for (ChunkRef reference : packetDestinations()) {
            RoundLayout.Range range = range(reference);
            switch (reference) {
                case ChunkRef.Local _ -> written.add(new Packets(self(), range, 0));
                case ChunkRef.Remote remote -> written.add(packets(owner(remote), range));
                case ChunkRef.Multicast all -> members(all).forEach(member -> written.add(packets(member, range)));
            }
        }
        return written;
    }

    private Packets packets(int owner, RoundLayout.Range range) {
        return new Packets(
                owner, range, machine.network().memoryRoute(self(), owner).latency());
    }

    private int self() {
        return block.rank().rank();
    }

    private List<ChunkRef> packetDestinations() {
        List<ChunkRef> all = data.destinations();
        return switch (data.kind()) {
            case UNPACK_PACKETS, REDUCE_PACKETS -> List.of();
            case REDUCE_SEND_PACKETS, REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS -> all.subList(1, all.size());
            default -> all;
        };
    }

    /** Says what the block does for each byte. */
    void describe(BlockWork work) {
        boolean packetSources = !awaitedPackets().isEmpty();
        List<ChunkRef> packetTargets = data.kind().packets() ? packetDestinations() : List.of();
        for (int k = 0; k < data.sources().size(); k++) {
            boolean packets = packetSources && !(data.kind().reduces() && k == 0);
            read(work, data.sources().get(k), packets);
        }
        data.destinations().forEach(destination -> write(work, destination, packetTargets.contains(destination)));
    }

    private void read(BlockWork work, ChunkRef source, boolean packets) {
        boolean reduced = data.kind().reduces();
        switch (source) {
            case ChunkRef.Local _ -> work.readLocal(packets, reduced);
            case ChunkRef.Remote remote -> work.readRemote(owner(remote), reduced);
            case ChunkRef.Multicast all -> work.reduceThroughSwitch(members(all));
        }
    }

    private void write(BlockWork work, ChunkRef destination, boolean packets) {
        switch (destination) {
            case ChunkRef.Local _ -> work.writeLocal(packets);
            case ChunkRef.Remote remote -> work.writeRemote(owner(remote), packets);
            case ChunkRef.Multicast all -> work.storeThroughSwitch(members(all), packets);
        }
    }
}
