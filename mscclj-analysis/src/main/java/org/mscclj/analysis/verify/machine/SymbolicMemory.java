package org.mscclj.analysis.verify.machine;

import org.jspecify.annotations.Nullable;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;

/** The memory of one rank, in cells. In an in-place plan, input and output share cells. */
final class SymbolicMemory {
    private final SymbolicCells input;
    private final SymbolicCells output;

    /** Offset of the smaller of the two buffers in the larger one, in cells. */
    private final int inputOffset;

    private final int outputOffset;
    private final SymbolicCells[] scratch;
    private final @Nullable PacketCell[][] packets;

    SymbolicMemory(Plan plan, RankPlan rank, int cellsPerChunk) {
        int inputs = rank.inputChunks() * cellsPerChunk;
        int outputs = rank.outputChunks() * cellsPerChunk;
        int scratchCells = rank.scratchChunks() * cellsPerChunk;
        if (plan.inPlace()) {
            SymbolicCells shared =
                    new SymbolicCells(rank.rank(), inputs < outputs ? "o" : "i", Math.max(inputs, outputs));
            input = shared;
            output = shared;
            inputOffset = inputs < outputs ? rank.rank() * inputs : 0;
            outputOffset = outputs < inputs ? rank.rank() * outputs : 0;
        } else {
            input = new SymbolicCells(rank.rank(), "i", inputs);
            output = new SymbolicCells(rank.rank(), "o", outputs);
            inputOffset = 0;
            outputOffset = 0;
        }
        int halves = plan.doubleScratch() ? 2 : 1;
        scratch = new SymbolicCells[halves];
        packets = new PacketCell[halves][plan.usesPackets() ? scratchCells : 0];
        for (int half = 0; half < halves; half++) {
            scratch[half] = new SymbolicCells(rank.rank(), "s", plan.usesPackets() ? 0 : scratchCells);
        }
    }

    /** The cells of a buffer in a launch. */
    SymbolicCells cells(BufferType buffer, int launch) {
        return switch (buffer) {
            case INPUT -> input;
            case OUTPUT -> output;
            case SCRATCH -> scratch[launch % scratch.length];
        };
    }

    /** Offset of a buffer in its cells. */
    int offset(BufferType buffer) {
        return switch (buffer) {
            case INPUT -> inputOffset;
            case OUTPUT -> outputOffset;
            case SCRATCH -> 0;
        };
    }

    /** A packet of scratch. */
    PacketCell packet(int cell, int launch) {
        PacketCell[] half = packets[launch % packets.length];
        PacketCell found = half[cell];
        if (found == null) {
            found = new PacketCell();
            half[cell] = found;
        }
        return found;
    }
}
