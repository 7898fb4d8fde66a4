package org.mscclj.runtime.process;

import java.time.Duration;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;

/**
 * A rank that waits for a line when it has added once, then adds until an operation is late, and prints who is missing.
 */
public final class SumsUntilLate {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private SumsUntilLate() {}

    /** Started by {@link StoppedProcessTest}. */
    public static void main(String[] arguments) {
        try (Communicator communicator =
                Communicator.open(CommunicatorOptions.fromEnvironment().timeout(LIMIT))) {
            DeviceBuffer memory = communicator.allocate(64);
            CollectiveCall call = CollectiveCall.allReduce(memory, DataType.INT8);
            communicator.execute(call).join();
            System.out.println("ready");
            String _ = IO.readln();
            try {
                while (true) {
                    communicator.execute(call).join();
                }
            } catch (OperationTimeoutException e) {
                System.out.println("missing " + e.missingRanks() + ": " + e.getMessage());
            }
        }
    }
}
