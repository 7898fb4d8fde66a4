package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInKernels;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;

/**
 * A replay by other software that does not end, of which the host is not told, in a VM of its own, with the runtime.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForeignReplayTest {
    /** Two ranks replay once; then rank 0 does so alone, and its kernel does not end. */
    static final class OneRankAlone {
        private static final Duration TIMEOUT = Duration.ofSeconds(100);
        private static final int BYTES = 4096;

        private OneRankAlone() {}

        public static void main(String[] arguments) {
            try (LocalGroup group =
                    LocalGroup.open(LocalGroupOptions.ranks(2).backend("cuda").timeout(TIMEOUT))) {
                group.run(OneRankAlone::rank);
            }
        }

        private static void rank(Communicator communicator) {
            Stream stream = communicator.stream();
            try (DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, communicator.rank()));
                    DeviceBuffer buffer = communicator.allocate(BYTES);
                    PreparedOperation operation =
                            communicator.prepare(CollectiveCall.allReduce(buffer, DataType.FLOAT32));
                    ForeignGraph graph = new ForeignGraph(context, stream, operation::launch)) {
                graph.replay(stream);
                stream.synchronize(TIMEOUT);
                communicator.barrier();
                if (communicator.rank() == 0) {
                    StandInKernels.hold();
                    graph.replay(stream);
                }
                while (!communicator.isAborted()) {
                    Thread.onSpinWait();
                }
                StandInKernels.letEnd();
                try {
                    communicator.barrier();
                } catch (OperationTimeoutException e) {
                    System.out.println(communicator.rank() + " was told, missing " + e.missingRanks() + ": "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
                }
            }
        }
    }

    @BeforeAll
    static void requireStandIns() {
        StandIn.requireBuilt();
    }

    @Test
    void endsTheCommunicatorAndNamesWhoIsMissing() {
        List<String> options = new ArrayList<>(ChildJvm.standIns());
        options.add("-Dmscclj.watchdog.start.seconds=1");
        try (ChildJvm jvm = new ChildJvm(OneRankAlone.class, options, Map.of("STANDIN_DEVICES", "2"))) {
            for (int rank = 0; rank < 2; rank++) {
                String told = jvm.hear();
                assertTrue(told.contains("was told, missing [1]"), told);
                assertTrue(told.contains("local, rank 0: a launch by other software, of a graph with allreduce"), told);
                assertTrue(told.contains("not ended after 1."), told);
                assertTrue(told.contains("rank 1 has not begun it"), told);
            }
        }
    }
}
