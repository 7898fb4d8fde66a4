package org.example.torchcomm;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Basic use: every rank has its own number ten times, and all get the sum. */
public final class Basic {
    private Basic() {}

    /** One rank; the launcher's environment says which. */
    public static void main(String[] arguments) {
        try (Communicator communicator = Communicator.open();
                DeviceBuffer buffer = communicator.allocate(10 * Float.BYTES)) {
            float[] numbers = new float[10];
            Arrays.fill(numbers, communicator.rank());
            buffer.copyFrom(MemorySegment.ofArray(numbers)); // to the device, which may be a GPU

            communicator
                    .allReduce(buffer, buffer, DataType.FLOAT32, ReduceOp.SUM)
                    .join();

            buffer.copyTo(MemorySegment.ofArray(numbers));
            System.out.println(
                    "rank " + communicator.rank() + " of " + communicator.size() + ": " + Arrays.toString(numbers));
        }
    }
}
