package org.mscclj.plan.verify;

import java.util.List;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.layout.RoundLayout;

/** The operands of a data operation of a block, in this launch, and in this iteration of a pipeline. */
final class Operands {
    private final Machine machine;
    private final RankRun rank;
    private final Block block;
    private final Operation.Data data;

    /** Cells that this block handles, from the start of every range. */
    private final int from;

    private final int length;

    Operands(Machine machine, RankRun rank, Block block, Operation.Data data) {
        this.machine = machine;
        this.rank = rank;
        this.block = block;
        this.data = data;
        Scenario scenario = machine.scenario();
        int cells = data.destinations().getFirst().size() * scenario.cellsPerChunk();
        RoundLayout.Range range = RoundLayout.share(cells, data.share(), 1);
        int start = (int) range.start();
        int count = (int) range.length();
        if (block.isInPipeline() && !data.kind().packets()) {
            int unit = scenario.cellsPerIteration();
            int done = Math.min(count, block.iteration() * unit);
            start += done;
            count = Math.min(unit, count - done);
        }
        this.from = start;
        this.length = count;
    }

    /**
     * Where a range lies.
     *
     * @param owner whose memory
     * @param buffer which of its buffers
     * @param start its first cell
     */
    record Place(RankRun owner, BufferType buffer, int start) {}

    /** How many cells the block handles of each operand. */
    int length() {
        return length;
    }

    Place source(int k) {
        return place(data.sources().get(k));
    }

    Place destination(int k) {
        return place(data.destinations().get(k));
    }

    /** The place of a range in the rank's own or in a peer's memory. */
    Place place(ChunkRef reference) {
        if (reference instanceof ChunkRef.Local local) {
            return place(rank, local.buffer(), local.index());
        }
        if (reference instanceof ChunkRef.Remote remote) {
            ChannelType type = data.channelType().orElse(ChannelType.MEMORY);
            int id = block.threadBlock().remoteBuffers(type).get(remote.bufferId());
            RemoteBuffer buffer = rank.plan().remoteBuffers().get(id);
            return place(machine.rank(buffer.rank()), buffer.buffer(), remote.index());
        }
        throw new IllegalStateException("a multicast reference has a place on every member");
    }

    /** The places of a range: one, or one on each member of a multicast group. */
    List<Place> places(ChunkRef reference) {
        if (!(reference instanceof ChunkRef.Multicast all)) {
            return List.of(place(reference));
        }
        SwitchGroup group = rank.plan()
                .switchGroups()
                .get(block.threadBlock().switchChannels().get(all.switchChannelId()));
        return group.ranks().stream()
                .map(member -> place(machine.rank(member), group.buffer(), all.index()))
                .toList();
    }

    /** The places of several ranges, in order. */
    List<Place> places(List<ChunkRef> references) {
        return references.size() == 1
                ? places(references.getFirst())
                : references.stream().flatMap(one -> places(one).stream()).toList();
    }

    private Place place(RankRun owner, BufferType buffer, int index) {
        return new Place(
                owner,
                buffer,
                owner.memory().offset(buffer) + index * machine.scenario().cellsPerChunk() + from);
    }

    Cells cells(Place place) {
        return place.owner.memory().cells(place.buffer, rank.launch());
    }

    PacketCell packet(Place place, int cell) {
        return place.owner.memory().packet(place.start + cell, rank.launch());
    }

    /** Whether packets are of this launch. */
    boolean isOfLaunch(PacketCell packet) {
        return packet.launch == rank.launch();
    }

    int chunkOf(Place place, int cell) {
        return (place.start + cell) / machine.scenario().cellsPerChunk();
    }
}
