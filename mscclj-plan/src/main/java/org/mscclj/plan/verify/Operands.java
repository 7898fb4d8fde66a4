package org.mscclj.plan.verify;

import java.util.List;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.BufferType;
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

    private int size = -1;

    /** Cells that this block handles of a range of {@link #size} chunks, from its start. */
    private int from;

    private int length;

    Operands(Machine machine, RankRun rank, Block block, Operation.Data data) {
        this.machine = machine;
        this.rank = rank;
        this.block = block;
        this.data = data;
    }

    /** Finds this block's share of ranges of so many chunks; those of an operation mostly have one size. */
    private void take(int chunks) {
        if (chunks == size) {
            return;
        }
        Scenario scenario = machine.scenario();
        long cells = (long) chunks * scenario.cellsPerChunk();
        boolean whole = block.cursor().pipeline() == null || data.kind().packets();
        long unit = scenario.cellsPerIteration();
        RoundLayout.Range range = whole
                ? RoundLayout.share(cells, data.share(), 1)
                : RoundLayout.part(cells, data.share(), 1, block.cursor().iteration() * unit, unit);
        size = chunks;
        from = (int) range.start();
        length = (int) range.length();
    }

    /**
     * Where the block's share of a range lies.
     *
     * @param owner whose memory
     * @param buffer which of its buffers
     * @param start its first cell
     * @param length how many cells it has
     */
    record Place(RankRun owner, BufferType buffer, int start, int length) {}

    Place source(int k) {
        return place(data.sources().get(k));
    }

    Place destination(int k) {
        return place(data.destinations().get(k));
    }

    /** The place of a range in the rank's own or in a peer's memory. */
    Place place(ChunkRef reference) {
        if (reference instanceof ChunkRef.Local local) {
            return place(rank, local.buffer(), local.index(), local.size());
        }
        if (reference instanceof ChunkRef.Remote remote) {
            RemoteBuffer buffer = view().remote(remote, data);
            return place(machine.rank(buffer.rank()), buffer.buffer(), remote.index(), remote.size());
        }
        throw new IllegalStateException("a multicast reference has a place on every member");
    }

    /** The places of a range: one, or one on each member of a multicast group. */
    List<Place> places(ChunkRef reference) {
        if (!(reference instanceof ChunkRef.Multicast all)) {
            return List.of(place(reference));
        }
        SwitchGroup group = view().group(all);
        return group.ranks().stream()
                .map(member -> place(machine.rank(member), group.buffer(), all.index(), all.size()))
                .toList();
    }

    private BlockView view() {
        return new BlockView(rank.plan(), block.threadBlock());
    }

    /** The places of several ranges, in order. */
    List<Place> places(List<ChunkRef> references) {
        return references.size() == 1
                ? places(references.getFirst())
                : references.stream().flatMap(one -> places(one).stream()).toList();
    }

    private Place place(RankRun owner, BufferType buffer, int index, int chunks) {
        take(chunks);
        return new Place(
                owner,
                buffer,
                owner.memory().offset(buffer) + index * machine.scenario().cellsPerChunk() + from,
                length);
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

    /** Reports that two operands of the operation meet in a cell. */
    void meetsItself(Place place, int cell, boolean writes) {
        machine.report()
                .meetsItself(block, place.owner().plan().rank(), cells(place).letter(), chunkOf(place, cell), writes);
    }

    /** The threads of an operation go in no order: it must not write one cell twice, with different values. */
    void requireOneValue(Place place, int cell, int value, Agent agent) {
        Cells cells = cells(place);
        if (cells.isWrittenBy(place.start + cell, agent) && cells.value(place.start + cell) != value) {
            meetsItself(place, cell, true);
        }
    }

    /** The threads of an operation go in no order: one element's write must not meet another element's read. */
    void requireNoShift(List<Place> sources, Place destination) {
        for (Place source : sources) {
            boolean oneMemory = cells(source) == cells(destination);
            int distance = Math.abs(source.start - destination.start);
            if (oneMemory && distance > 0 && distance < destination.length) {
                machine.report().overlap(block);
            }
        }
    }
}
