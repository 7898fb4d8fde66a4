package org.example.torchcomm;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Quorum;
import org.mscclj.api.Stores;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Reconfiguration: half of the processes are a group first, and go on with the other half. */
public final class Grow {
    private Grow() {}

    /**
     * One rank; the launcher's environment says which. The arguments are a folder that all ranks share, and a name that
     * was not used there before.
     */
    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            System.err.println("usage: Grow FOLDER NAME");
            System.exit(2);
        }
        CommunicatorOptions launched = CommunicatorOptions.fromEnvironment();
        int rank = launched.rank();
        int first = Math.max(1, launched.size() / 2);
        List<Integer> survivors = IntStream.range(0, first).boxed().toList();
        try (Store store = Stores.file(Path.of(arguments[0]))) {
            // each reconfiguration has an id of its own; here the second argument
            Quorum quorum = Quorum.of(arguments[1], survivors, launched.size() - first).store(store);
            Communicator all;
            if (rank < first) {
                try (Communicator half = Communicator.open(CommunicatorOptions.rank(rank, first).store(store))) {
                    System.out.println("rank " + rank + " of " + first + " has " + sum(half));
                    all = half.reconfigure(quorum);
                }
            } else {
                all = Communicator.open(CommunicatorOptions.newcomer(quorum, rank));
            }
            System.out.println("rank " + all.rank() + " of " + all.size() + " has " + sum(all));
            all.close();
        }
    }

    /** One for each rank. */
    private static int sum(Communicator communicator) {
        int[] one = {1};
        try (DeviceBuffer buffer = communicator.allocate(Integer.BYTES)) {
            buffer.copyFrom(MemorySegment.ofArray(one));
            communicator.allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM).join();
            buffer.copyTo(MemorySegment.ofArray(one));
        }
        return one[0];
    }
}
