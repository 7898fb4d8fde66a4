package org.mscclj.runtime.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.mscclj.api.Communicator;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A rank in a process of its own. Rank 0 waits for rank 1, in a launch and then in a barrier; rank 1 comes when it
 * reads a line.
 */
public final class WaitsWhileStopped {
    private WaitsWhileStopped() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Communicator communicator = Communicator.open();
                DeviceBuffer buffer = communicator.allocate(64)) {
            communicator.allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM).join();
            for (String what : new String[] {"launch", "barrier"}) {
                System.out.println("ready");
                if (communicator.rank() == 1) {
                    String _ = in.readLine();
                }
                try {
                    if (what.equals("launch")) {
                        Work work = communicator.allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM);
                        work.join();
                    } else {
                        communicator.barrier();
                    }
                    System.out.println("done");
                } catch (MsccljException e) {
                    System.out.println(what + ": " + e.getMessage());
                }
            }
        }
    }
}
