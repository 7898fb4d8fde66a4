package org.mscclj.plan.fusion;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;

/**
 * Which operands of a rank's moves are the same memory. In place, input and output share memory: chunks of the smaller
 * one are chunks of the larger one.
 */
public final class CommonMemory {
    private final Plan plan;

    /** The memory of a plan. */
    public CommonMemory(Plan plan) {
        this.plan = plan;
    }

    /** One operand of a move. */
    private record Access(OperandRange memory, boolean packets, boolean writes) {
        boolean overlaps(Access other) {
            return memory.rank() == other.memory.rank()
                    && memory.buffer() == other.memory.buffer()
                    && memory.index() < other.memory.index() + other.memory.size()
                    && other.memory.index() < memory.index() + memory.size();
        }

        boolean isSameAs(Access other) {
            return memory.equals(other.memory) && packets == other.packets;
        }
    }

    /**
     * Returns the memory of a range: equal for ranges of equal memory. In place, that is the range in the larger
     * buffer.
     */
    public OperandRange of(OperandRange range) {
        if (!plan.inPlace() || range.buffer() == BufferType.SCRATCH) {
            return range;
        }
        Collective collective = plan.collective();
        boolean outputIsLarger = collective == Collective.ALLGATHER || collective == Collective.GATHER;
        boolean inputIsLarger = collective == Collective.REDUCESCATTER || collective == Collective.SCATTER;
        if (outputIsLarger && range.buffer() == BufferType.INPUT) {
            int chunks = plan.ranks().get(range.rank()).inputChunks();
            return new OperandRange(
                    range.rank(), BufferType.OUTPUT, range.rank() * chunks + range.index(), range.size());
        }
        if (inputIsLarger && range.buffer() == BufferType.OUTPUT) {
            int chunks = plan.ranks().get(range.rank()).outputChunks();
            return new OperandRange(
                    range.rank(), BufferType.INPUT, range.rank() * chunks + range.index(), range.size());
        }
        return !outputIsLarger && !inputIsLarger && range.buffer() == BufferType.OUTPUT
                ? new OperandRange(range.rank(), BufferType.INPUT, range.index(), range.size())
                : range;
    }

    /**
     * Returns whether any two accesses to the same memory, of which one writes, are to equal ranges in the same form:
     * then a thread that carries out all moves for one unit touches nothing that another thread touches.
     */
    boolean isAccessedByUnit(List<Move> moves) {
        List<Access> accesses = new ArrayList<>();
        for (Move move : moves) {
            List<OperandRange> operands = move.operands();
            for (int i = 0; i < operands.size(); i++) {
                accesses.add(new Access(of(operands.get(i)), move.isPackets(i), move.isDestination(i)));
            }
        }
        for (Access one : accesses) {
            for (Access other : accesses) {
                if ((one.writes || other.writes) && one.overlaps(other) && !one.isSameAs(other)) {
                    return false;
                }
            }
        }
        return true;
    }
}
