package org.example.torchcomm;

import java.lang.foreign.MemorySegment;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;

/**
 * Graphs: an allreduce is captured once and replayed ten times. The first replay adds 0 and 1 up; each further one
 * doubles the numbers of two ranks.
 */
public final class GraphReplay {
    private GraphReplay() {}

    /** One rank; the launcher's environment says which. */
    public static void main(String[] arguments) {
        try (Communicator communicator = Communicator.open();
                DeviceBuffer buffer = communicator.allocate(Float.BYTES)) {
            String how = "by 10 replays of a graph";
            float[] number = {communicator.rank()};
            buffer.copyFrom(MemorySegment.ofArray(number));
            Stream stream = communicator.stream();

            try (PreparedOperation sum = communicator.prepare(CollectiveCall.allReduce(buffer, DataType.FLOAT32))) {
                try (Graph graph = stream.capture(sum::launch)) {
                    for (int replay = 0; replay < 10; replay++) {
                        graph.launch(stream);
                    }
                    stream.synchronize(communicator.timeout());
                } catch (UnsupportedException e) {
                    System.out.println("no graphs here: " + e.getMessage());
                    how = "by 10 launches";
                    for (int launch = 0; launch < 10; launch++) {
                        sum.launch();
                    }
                    sum.join(communicator.timeout());
                }
            }

            buffer.copyTo(MemorySegment.ofArray(number));
            System.out.println("rank " + communicator.rank() + " has " + number[0] + " " + how);
        }
    }
}
