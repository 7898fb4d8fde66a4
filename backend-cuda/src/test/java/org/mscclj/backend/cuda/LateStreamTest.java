package org.mscclj.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInKernels;

/** A wait for a stream names the ranks that keep its launches and replays from ending. In a VM of its own. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LateStreamTest {
    /** Rank 0 launches, and rank 1 does not. Prints what the wait for the stream of rank 0 throws. */
    static final class LaunchesAlone {
        private static final int BYTES = 1 << 16;

        private LaunchesAlone() {}

        public static void main(String[] arguments) {
            boolean replays = arguments[0].equals("replay");
            try (LocalGroup group =
                    LocalGroup.open(LocalGroupOptions.ranks(2).backend("cuda").timeout(Duration.ofSeconds(60)))) {
                group.run(communicator -> launch(communicator, replays));
            }
            System.out.println("closed");
        }

        private static void launch(Communicator communicator, boolean replays) {
            DeviceBuffer buffer = communicator.allocate(BYTES);
            PreparedOperation operation = communicator.prepare(CollectiveCall.allReduce(buffer, DataType.FLOAT32));
            operation.run(communicator.timeout());
            Graph graph = communicator.stream().capture(() -> operation.launch(communicator.stream()));
            communicator.barrier();
            if (communicator.rank() == 0) {
                StandInKernels.hold();
                if (replays) {
                    graph.launch(communicator.stream());
                } else {
                    operation.launch(communicator.stream());
                }
                try {
                    communicator.stream().synchronize(Duration.ofMillis(300));
                    System.out.println("ended");
                } catch (OperationTimeoutException e) {
                    System.out.println(e.missingRanks() + "|" + e.getMessage());
                }
                communicator.abort("the test is over");
            }
            graph.close();
            operation.close();
            buffer.close();
        }
    }

    @BeforeAll
    static void requireStandIns() {
        StandIn.requireBuilt();
    }

    private static void check(String what) {
        try (ChildJvm jvm = new ChildJvm(
                LaunchesAlone.class,
                ChildJvm.standIns(),
                Map.of("STANDIN_DEVICES", "2", "STANDIN_MULTIPROCESSORS", "132"),
                what)) {
            String line = jvm.hear();
            String[] parts = line.split("\\|", 2);
            assertEquals("[1]", parts[0], line);
            assertTrue(parts[1].contains("allreduce"), line);
            assertEquals("closed", jvm.hear());
        }
    }

    @Test
    void ofALaunch() {
        check("launch");
    }

    @Test
    void ofAReplay() {
        check("replay");
    }
}
