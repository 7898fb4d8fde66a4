package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A call whose data and result every rank can compute.
 *
 * @param count elements of a slice
 * @param offset bytes from the start of memory to the buffers; a multiple of an element
 */
record CollectiveCase(
        Collective collective, DataType type, ReduceOp op, int root, int count, boolean inPlace, int offset, int seed) {
    private static final byte POISON = (byte) 0xA5;
    private static final int GUARD = 64;

    /** A rank's input and output in its memory. */
    record Buffers(DeviceBuffer memory, DeviceBuffer input, DeviceBuffer output) {}

    /** The same call on other data. */
    CollectiveCase withSeed(int other) {
        return new CollectiveCase(collective, type, op, root, count, inPlace, offset, other);
    }

    long sliceBytes() {
        return (long) count * type.byteSize();
    }

    private long inputBytes(int ranks) {
        return sliceBytes() * collective.inputSlices(ranks);
    }

    private long outputBytes(int ranks) {
        return sliceBytes() * collective.outputSlices(ranks);
    }

    /** How much memory the call needs on each rank, in bytes. */
    long memoryBytes(int ranks) {
        long larger = Math.max(inputBytes(ranks), outputBytes(ranks));
        return offset + 2 * GUARD + (inPlace ? larger : inputBytes(ranks) + outputBytes(ranks));
    }

    /** Places the buffers in memory, poisons all of it, and fills the input. */
    Buffers place(DeviceBuffer memory, int rank, int ranks) {
        memory.segment().fill(POISON);
        DeviceBuffer input;
        DeviceBuffer output;
        if (!inPlace) {
            input = memory.slice(offset, inputBytes(ranks));
            output = memory.slice(offset + inputBytes(ranks) + GUARD, outputBytes(ranks));
        } else if (outputBytes(ranks) > inputBytes(ranks)) {
            output = memory.slice(offset, outputBytes(ranks));
            input = output.slice(rank * sliceBytes(), sliceBytes());
        } else {
            input = memory.slice(offset, inputBytes(ranks));
            boolean part = inputBytes(ranks) > outputBytes(ranks);
            output = part ? input.slice(rank * sliceBytes(), sliceBytes()) : input;
        }
        fill(input, rank);
        return new Buffers(memory, input, output);
    }

    void fill(DeviceBuffer input, int rank) {
        MemorySegment segment = input.segment();
        for (long i = 0; i < segment.byteSize() / type.byteSize(); i++) {
            SmallNumbers.set(segment, type, i, contribution(rank, i));
        }
    }

    CollectiveCall call(Buffers buffers) {
        DeviceBuffer input = buffers.input();
        DeviceBuffer output = buffers.output();
        CollectiveCall call = switch (collective) {
            case ALLREDUCE -> CollectiveCall.allReduce(input, output, type);
            case REDUCESCATTER -> CollectiveCall.reduceScatter(input, output, type);
            case ALLGATHER -> CollectiveCall.allGather(input, output, type);
            case BROADCAST -> CollectiveCall.broadcast(input, output, type, root);
            case ALLTOALL -> CollectiveCall.allToAll(input, output, type);
            case REDUCE -> CollectiveCall.reduce(input, output, type, root);
            case SCATTER -> CollectiveCall.scatter(input, output, type, root);
            case GATHER -> CollectiveCall.gather(input, output, type, root);
            case SENDRECV, TEST -> throw new IllegalStateException("there is no call for " + collective);
        };
        return collective.reduces() ? call.op(op) : call;
    }

    /** Whether the collective defines a rank's output. */
    private boolean definesOutputOf(int rank) {
        return switch (collective) {
            case REDUCE, GATHER -> rank == root;
            default -> true;
        };
    }

    /** Whether nothing may write a rank's output; scaling writes, too. */
    private boolean leavesAlone(int rank) {
        return !definesOutputOf(rank);
    }

    /** Checks the output against the definition, and that nothing beside it has changed. */
    void check(Buffers buffers, int rank, int ranks, String what) {
        if (definesOutputOf(rank)) {
            requireOutput(buffers.output().segment(), rank, ranks, what);
        }
        if (!inPlace || leavesAlone(rank)) {
            requireInputKept(buffers.input().segment(), rank, what);
        }
        requirePoison(buffers, rank, what);
    }

    private void requireOutput(MemorySegment output, int rank, int ranks, String what) {
        for (long i = 0; i < output.byteSize() / type.byteSize(); i++) {
            int expected = expected(rank, ranks, i);
            if (!SmallNumbers.is(output, type, i, expected)) {
                fail(what + ", " + this + ", rank " + rank + " of " + ranks + ", element " + i + ": expected "
                        + expected + ", got bits 0x" + Long.toHexString(SmallNumbers.raw(output, type, i)));
            }
        }
    }

    private void requireInputKept(MemorySegment input, int rank, String what) {
        for (long i = 0; i < input.byteSize() / type.byteSize(); i++) {
            if (!SmallNumbers.is(input, type, i, contribution(rank, i))) {
                fail(what + ", " + this + ", rank " + rank + ": input " + i + " has changed");
            }
        }
    }

    private void requirePoison(Buffers buffers, int rank, String what) {
        MemorySegment memory = buffers.memory().segment();
        long i = 0;
        while (i < memory.byteSize()) {
            long address = memory.address() + i;
            if (isIn(buffers.input(), address)) {
                i += buffers.input().byteSize() - (address - buffers.input().address());
            } else if (!leavesAlone(rank) && isIn(buffers.output(), address)) {
                i += buffers.output().byteSize() - (address - buffers.output().address());
            } else if (memory.get(ValueLayout.JAVA_BYTE, i) == POISON) {
                i++;
            } else {
                fail(what + ", " + this + ": byte " + i + " beside the buffers has changed");
            }
        }
    }

    private static boolean isIn(DeviceBuffer buffer, long address) {
        return address >= buffer.address() && address < buffer.address() + buffer.byteSize();
    }

    /** From 0 to 2; where sums must stay below 9 to be exact, to 1 on eight ranks alone. */
    private int contribution(int rank, long index) {
        if (type.byteSize() == 1 && rank >= 8) {
            return 0;
        }
        long mixed = (index * 0x9E3779B97F4A7C15L + rank + 1) * (0xBF58476D1CE4E5B9L + 2L * seed);
        int value = (int) (mixed ^ mixed >>> 29) >>> 3;
        return value % (type.byteSize() == 1 ? 2 : 3);
    }

    private int expected(int rank, int ranks, long index) {
        long slice = index / Math.max(1, count);
        long within = index % Math.max(1, count);
        return switch (collective) {
            case ALLREDUCE -> reduced(ranks, index);
            case REDUCESCATTER -> reduced(ranks, (long) rank * count + index);
            case ALLGATHER -> contribution((int) slice, within);
            case ALLTOALL -> contribution((int) slice, (long) rank * count + within);
            case BROADCAST -> contribution(root, index);
            case REDUCE -> reduced(ranks, index);
            case SCATTER -> contribution(root, (long) rank * count + index);
            case GATHER -> contribution((int) slice, within);
            default -> throw new IllegalStateException("no definition of " + collective);
        };
    }

    int reduced(int ranks, long index) {
        int result = contribution(0, index);
        for (int rank = 1; rank < ranks; rank++) {
            int next = contribution(rank, index);
            result = switch (op.kind()) {
                case SUM, PREMUL_SUM, AVG -> result + next;
                case PRODUCT -> result * next;
                case MIN -> Math.min(result, next);
                case MAX -> Math.max(result, next);
                case BAND -> result & next;
                case BOR -> result | next;
                case BXOR -> result ^ next;
                case NOP -> throw new IllegalStateException("nothing is reduced");
            };
        }
        return switch (op.kind()) {
            case PREMUL_SUM -> (int) (result * op.factor());
            case AVG -> result / ranks;
            default -> result;
        };
    }
}
