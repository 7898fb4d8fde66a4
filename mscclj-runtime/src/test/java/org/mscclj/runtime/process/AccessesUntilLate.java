package org.mscclj.runtime.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;

/**
 * A rank in a process of its own and on a node of its own. Rank 0 accesses the memory of rank 1 once it is told to,
 * until an access fails, and says why.
 */
public final class AccessesUntilLate {
    /** Environment variable: whether rank 0 puts, and does not get. */
    static final String PUTS = "TEST_PUTS";

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private AccessesUntilLate() {}

    public static void main(String[] arguments) throws IOException {
        boolean puts = Boolean.parseBoolean(System.getenv(PUTS));
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Communicator communicator = Communicator.open();
                DeviceBuffer memory = communicator.device().allocate(1 << 20);
                DeviceBuffer buffer = communicator.device().allocate(1 << 20);
                Window window = communicator.openWindow(memory)) {
            System.out.println("ready");
            input.readLine();
            try {
                while (communicator.rank() == 0) {
                    (puts ? window.put(buffer, 1, 0) : window.get(1, 0, buffer)).join(TIMEOUT);
                }
            } catch (OperationTimeoutException e) {
                System.out.println("missing " + e.missingRanks() + ": " + e.getMessage());
                communicator.abort("late");
            } catch (RankLostException e) {
                System.out.println("lost " + e.rank() + ": " + e.getMessage());
            }
        }
    }
}
