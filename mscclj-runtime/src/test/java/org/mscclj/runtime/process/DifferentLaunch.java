package org.mscclj.runtime.process;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;

/**
 * A rank that launches what the others do, except rank 1, which launches something else. Prints what joining says, and
 * waits for a line before it ends.
 */
public final class DifferentLaunch {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private DifferentLaunch() {}

    /** Started by {@link DifferentLaunchTest}. */
    public static void main(String[] arguments) throws Exception {
        try (Communicator communicator =
                Communicator.open(CommunicatorOptions.fromEnvironment().timeout(LIMIT))) {
            DeviceBuffer memory = communicator.allocate(64);
            List<CollectiveCall> calls = List.of(
                    CollectiveCall.allReduce(memory, DataType.INT8),
                    CollectiveCall.broadcast(memory, memory, DataType.INT8, 0));
            for (CollectiveCall call : calls) {
                communicator.execute(call).join();
            }
            Work work = communicator.execute(calls.get(communicator.rank() == 1 ? 1 : 0));
            try {
                work.join();
                System.out.println("ended");
            } catch (OperationTimeoutException e) {
                System.out.println("missing " + e.missingRanks() + ": " + e.getMessage());
            }
            int _ = System.in.read();
        }
    }
}
