package org.mscclj.conformance.operation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntUnaryOperator;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;

/** Small integers that differ by rank and position. */
final class Numbers {
    private static final int PERIOD = 97;

    private Numbers() {}

    /** Returns element {@code index} of a rank's input. */
    static int of(int rank, int index) {
        return (rank + 1) * (index % PERIOD + 1);
    }

    /** Returns the sum over the inputs of all ranks. */
    static int sum(int ranks, int index) {
        return ranks * (ranks + 1) / 2 * of(0, index);
    }

    /** Allocates memory of this rank for a number of integers. */
    static DeviceBuffer allocate(Communicator communicator, int count) {
        return communicator.allocate((long) count * Integer.BYTES);
    }

    static void write(DeviceBuffer buffer, IntUnaryOperator values) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(buffer.byteSize(), Integer.BYTES);
            for (int i = 0; i < buffer.byteSize() / Integer.BYTES; i++) {
                memory.setAtIndex(ValueLayout.JAVA_INT, i, values.applyAsInt(i));
            }
            buffer.copyFrom(memory);
        }
    }

    /**
     * Compares a buffer with the expected numbers.
     *
     * @throws IllegalStateException if an element is wrong
     */
    static void require(String what, DeviceBuffer buffer, IntUnaryOperator values) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(buffer.byteSize(), Integer.BYTES);
            buffer.copyTo(memory);
            for (int i = 0; i < buffer.byteSize() / Integer.BYTES; i++) {
                int actual = memory.getAtIndex(ValueLayout.JAVA_INT, i);
                if (actual != values.applyAsInt(i)) {
                    throw new IllegalStateException(
                            what + ", element " + i + ": expected " + values.applyAsInt(i) + ", is " + actual);
                }
            }
        }
    }
}
