package org.mscclj.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.backend.cuda.standin.StandIn;

/**
 * Communicators that are made, used and closed leave nothing of the driver behind, in a VM of its own, with the
 * runtime. {@code -Dmscclj.full=true} for a thousand of them.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyCommunicatorsTest {
    private static final int COMMUNICATORS = Boolean.getBoolean("mscclj.full") ? 1000 : 100;

    private static final String DESCRIPTORS = ", descriptors: ";

    /** The VM opens files of its own now and then. */
    private static final int TOLERANCE = 4;

    /** Makes communicators of two ranks, and says what lives after the first and after the last. */
    static final class OneAfterTheOther {
        private static final Duration TIMEOUT = Duration.ofSeconds(60);
        private static final int ELEMENTS = 5_000;

        private OneAfterTheOther() {}

        public static void main(String[] arguments) {
            int communicators = Integer.parseInt(arguments[0]);
            try (LocalGroup group =
                    LocalGroup.open(LocalGroupOptions.ranks(2).backend("cuda").timeout(TIMEOUT))) {
                group.run(communicator -> {
                    use(communicator, "first");
                    say(communicator);
                    for (int i = 1; i < communicators; i++) {
                        use(communicator, "next-" + i);
                    }
                    say(communicator);
                });
            }
        }

        private static void use(Communicator communicator, String name) {
            List<Integer> all = IntStream.range(0, communicator.size()).boxed().toList();
            try (Communicator next = communicator.split(all, name).orElseThrow();
                    DeviceBuffer input = next.allocate(ELEMENTS * Float.BYTES);
                    DeviceBuffer output = next.allocate(ELEMENTS * Float.BYTES);
                    DeviceBuffer plain = next.device().allocate(ELEMENTS * Float.BYTES);
                    PreparedOperation operation = next.prepare(CollectiveCall.allReduce(input, output, DataType.FLOAT32)
                            .op(ReduceOp.AVG))) {
                operation.run(TIMEOUT);
                next.allReduce(plain, plain, DataType.FLOAT32, ReduceOp.SUM).join();
                try (Graph graph = next.stream().capture(operation::launch)) {
                    graph.launch(next.stream());
                    next.stream().synchronize(TIMEOUT);
                }
            }
        }

        private static void say(Communicator communicator) {
            communicator.barrier();
            if (communicator.rank() == 0) {
                Map<String, Long> live = new TreeMap<>();
                StandIn.live().forEach((kind, count) -> live.put(kind.name(), count));
                long free = communicator.device().freeMemory().orElseThrow();
                int descriptors = Objects.requireNonNull(new File("/proc/self/fd").list()).length;
                System.out.println(live + ", " + free + " bytes free" + DESCRIPTORS + descriptors);
            }
            communicator.barrier();
        }
    }

    @BeforeAll
    static void requireStandIns() {
        StandIn.requireBuilt();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void nothingIsLeftBehind(int gpus) {
        try (ChildJvm jvm = new ChildJvm(
                OneAfterTheOther.class,
                ChildJvm.standIns(),
                Map.of("STANDIN_DEVICES", Integer.toString(gpus)),
                Integer.toString(COMMUNICATORS))) {
            String first = jvm.hear();
            String last = jvm.hear();
            System.out.println("ManyCommunicatorsTest: " + gpus + " GPUs, after 1: " + first);
            System.out.println("ManyCommunicatorsTest: " + gpus + " GPUs, after " + COMMUNICATORS + ": " + last);
            int descriptors = first.indexOf(DESCRIPTORS);
            assertEquals(first.substring(0, descriptors), last.substring(0, descriptors));
            assertTrue(descriptors(last) <= descriptors(first) + TOLERANCE, last);
        }
    }

    private static int descriptors(String line) {
        return Integer.parseInt(line.substring(line.indexOf(DESCRIPTORS) + DESCRIPTORS.length()));
    }
}
