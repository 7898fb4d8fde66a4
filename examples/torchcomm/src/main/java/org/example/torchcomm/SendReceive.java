package org.example.torchcomm;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;

/** Asynchronous operations: of two ranks, rank 0 sends, and rank 1 receives, while both do something else. */
public final class SendReceive {
    private SendReceive() {}

    /** One rank; the launcher's environment says which. */
    public static void main(String[] arguments) {
        try (Communicator communicator = Communicator.open();
                DeviceBuffer buffer = communicator.device().allocate(3 * Integer.BYTES)) {
            boolean sends = communicator.rank() == 0;
            int[] numbers = sends ? new int[] {7, 8, 9} : new int[3];
            buffer.copyFrom(MemorySegment.ofArray(numbers));

            Work work = sends ? communicator.send(buffer, 1) : communicator.receive(buffer, 0);
            System.out.println("rank " + communicator.rank() + " does something else");
            work.join(); // throws what went wrong

            buffer.copyTo(MemorySegment.ofArray(numbers));
            System.out.println("rank " + communicator.rank() + " has " + numbers[0] + numbers[1] + numbers[2]);
        }
    }
}
