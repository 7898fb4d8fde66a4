package org.mscclj.analysis.verify.machine;

import java.util.List;
import org.mscclj.analysis.verify.size.CheckedSize;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.plan.layout.RoundLayout;

/** The operands of a data operation of a block, in the current launch and iteration of a pipeline. */
final class SymbolicOperands {
    private final SymbolicMachine machine;
    private final SymbolicRank rank;
    private final Block block;
    private final Operation.Data data;

    private int size = -1;

    /** First cell of this block's share of a range of {@link #size} chunks, from the start of the range. */
    private int from;

    private int length;

    SymbolicOperands(SymbolicMachine machine, SymbolicRank rank, Block block, Operation.Data data) {
        this.machine = machine;
        this.rank = rank;
        this.block = block;
        this.data = data;
    }

    /** Computes this block's share of ranges of a number of chunks. Most operations use one size of range. */
    private void take(int chunks) {
        if (chunks == size) {
            return;
        }
        CheckedSize scenario = machine.scenario();
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
     * A block's share of a range.
     *
     * @param owner rank that owns the memory
     * @param buffer buffer of that rank
     * @param start first cell
     * @param length number of cells
     */
    record CellRange(SymbolicRank owner, BufferType buffer, int start, int length) {}

    CellRange source(int k) {
        return range(data.sources().get(k));
    }

    CellRange destination(int k) {
        return range(data.destinations().get(k));
    }

    /** The cells of a range in the rank's own or in a peer's memory. */
    CellRange range(ChunkRef reference) {
        if (reference instanceof ChunkRef.Local local) {
            return range(rank, local.buffer(), local.index(), local.size());
        }
        if (reference instanceof ChunkRef.Remote remote) {
            RemoteBuffer buffer = view().remote(remote, data);
            return range(machine.rank(buffer.rank()), buffer.buffer(), remote.index(), remote.size());
        }
        throw new IllegalStateException("a multicast reference has a range on every member");
    }

    /** The cells of a range: one item, or one for each member of a multicast group. */
    List<CellRange> ranges(ChunkRef reference) {
        if (!(reference instanceof ChunkRef.Multicast all)) {
            return List.of(range(reference));
        }
        SwitchGroup group = view().group(all);
        return group.ranks().stream()
                .map(member -> range(machine.rank(member), group.buffer(), all.index(), all.size()))
                .toList();
    }

    private BlockView view() {
        return new BlockView(rank.plan(), block.threadBlock());
    }

    /** The cells of several ranges, in order. */
    List<CellRange> ranges(List<ChunkRef> references) {
        return references.size() == 1
                ? ranges(references.getFirst())
                : references.stream().flatMap(one -> ranges(one).stream()).toList();
    }

    private CellRange range(SymbolicRank owner, BufferType buffer, int index, int chunks) {
        take(chunks);
        return new CellRange(
                owner,
                buffer,
                owner.memory().offset(buffer) + index * machine.scenario().cellsPerChunk() + from,
                length);
    }

    SymbolicCells cells(CellRange range) {
        return range.owner.memory().cells(range.buffer, rank.launch());
    }

    PacketCell packet(CellRange range, int cell) {
        return range.owner.memory().packet(range.start + cell, rank.launch());
    }

    /** Whether a packet belongs to the current launch. */
    boolean isOfLaunch(PacketCell packet) {
        return packet.launch == rank.launch();
    }

    int chunkOf(CellRange range, int cell) {
        return (range.start + cell) / machine.scenario().cellsPerChunk();
    }

    /** Reports that two operands of the operation overlap in a cell. */
    void overlapsItself(CellRange range, int cell, boolean writes) {
        machine.report()
                .overlapsItself(
                        block, range.owner().plan().rank(), cells(range).letter(), chunkOf(range, cell), writes);
    }

    /** The threads of an operation run in no order: it must not write two different values to one cell. */
    void requireOneValue(CellRange range, int cell, int value, Agent agent) {
        SymbolicCells cells = cells(range);
        if (cells.isWrittenBy(range.start + cell, agent) && cells.value(range.start + cell) != value) {
            overlapsItself(range, cell, true);
        }
    }

    /** The threads of an operation run in no order: the write of one element must not overlap the read of another. */
    void requireNoShift(List<CellRange> sources, CellRange destination) {
        for (CellRange source : sources) {
            boolean oneMemory = cells(source) == cells(destination);
            int distance = Math.abs(source.start - destination.start);
            if (oneMemory && distance > 0 && distance < destination.length) {
                machine.report().overlap(block);
            }
        }
    }
}
