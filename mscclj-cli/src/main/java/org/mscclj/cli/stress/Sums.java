package org.mscclj.cli.stress;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;

/** An allreduce of small integers, out of place, so that it can be launched repeatedly. Used by one rank's thread. */
final class Sums implements AutoCloseable {
    private final Communicator communicator;
    private final DeviceBuffer input;
    private final DeviceBuffer output;
    private final PreparedOperation operation;
    private final int count;

    /** Prepares the allreduce. All ranks must call this. */
    Sums(Communicator communicator, int count) {
        this.communicator = communicator;
        this.count = count;
        this.input = communicator.allocate(4L * count);
        this.output = communicator.allocate(4L * count);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment values = arena.allocate(4L * count, 4);
            for (int i = 0; i < count; i++) {
                values.setAtIndex(ValueLayout.JAVA_INT, i, value(communicator.rank(), i));
            }
            input.copyFrom(values);
        }
        this.operation = communicator.prepare(CollectiveCall.allReduce(input, output, DataType.INT32));
    }

    private static int value(int rank, int index) {
        return (rank + 1) * (index % 97 + 1);
    }

    PreparedOperation operation() {
        return operation;
    }

    /** Throws if the output is wrong. */
    void check() {
        int ranks = communicator.size() * (communicator.size() + 1) / 2;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment values = arena.allocate(4L * count, 4);
            output.copyTo(values);
            for (int i = 0; i < count; i++) {
                int expected = ranks * value(0, i);
                int actual = values.getAtIndex(ValueLayout.JAVA_INT, i);
                if (actual != expected) {
                    throw new IllegalStateException("rank " + communicator.rank() + ", element " + i + ": expected "
                            + expected + ", is " + actual);
                }
            }
        }
    }

    @Override
    public void close() {
        try (input;
                output;
                operation) {
            // in this order: the operation first
        }
    }
}
