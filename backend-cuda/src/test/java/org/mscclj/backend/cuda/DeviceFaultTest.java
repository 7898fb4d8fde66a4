package org.mscclj.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.Health;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInKernels;

/**
 * A kernel faults, or the GPU does: what waits for it, on each rank and communicator, ends soon with the driver's
 * error, and what was made can be closed. In a VM of its own, with the runtime.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeviceFaultTest {
    private static final int BYTES = 1 << 16;
    private static final List<String> CALLS_OF_THE_DRIVER = List.of("copy", "stream", "own stream");
    private static final Duration STALL = Duration.ofSeconds(15);

    /**
     * Two ranks with a GPU each; that of rank 0 is lost while both are in a launch. Prints a line for each wait: rank,
     * what, how long it took in milliseconds, and what it threw.
     */
    static final class LosesGpu {
        private LosesGpu() {}

        public static void main(String[] arguments) {
            int error = Integer.parseInt(arguments[0]);
            boolean stalls = arguments.length > 1;
            try (LocalGroup group =
                    LocalGroup.open(LocalGroupOptions.ranks(2).backend("cuda").timeout(Duration.ofSeconds(60)))) {
                group.run(communicator -> lose(communicator, error, stalls));
            }
            System.out.println("closed, " + Health.ofProcess().faults().size() + " faults");
        }

        private static void lose(Communicator communicator, int error, boolean stalls) {
            Communicator other = communicator.split(List.of(0, 1), "other").orElseThrow();
            DeviceBuffer buffer = communicator.allocate(BYTES);
            DeviceBuffer ofOther = other.allocate(BYTES);
            Stream stream = communicator.device().createStream();
            PreparedOperation idle = other.prepare(CollectiveCall.allReduce(ofOther, DataType.FLOAT32));
            idle.run(communicator.timeout());
            communicator
                    .allReduce(buffer, buffer, DataType.FLOAT32, ReduceOp.SUM)
                    .join(); // sets the kind up
            communicator.barrier();
            StandInKernels.hold();
            Work inFlight = communicator.allReduce(buffer, buffer, DataType.FLOAT32, ReduceOp.SUM);
            communicator.barrier();
            long start = System.nanoTime();
            if (communicator.rank() == 0) {
                if (stalls) {
                    stall(error);
                } else {
                    StandIn.fault(0, error);
                }
            }
            await(communicator, "work", start, inFlight::join);
            await(
                    communicator,
                    "future",
                    start,
                    () -> inFlight.toCompletableFuture().join());
            await(communicator, "other communicator", start, other::barrier);
            await(communicator, "idle operation", start, () -> idle.run(communicator.timeout()));
            if (communicator.rank() == 0) {
                await(communicator, "copy", start, () -> ofOther.copyTo(MemorySegment.ofArray(new byte[BYTES])));
                await(communicator, "stream", start, () -> stream.synchronize(communicator.timeout()));
                await(
                        communicator,
                        "own stream",
                        start,
                        () -> communicator.stream().synchronize(communicator.timeout()));
            }
            List<AutoCloseable> all = new ArrayList<>(List.of(idle, stream, buffer, ofOther, other));
            for (AutoCloseable one : all) {
                try {
                    one.close();
                } catch (Exception e) {
                    throw new IllegalStateException("closing failed", e);
                }
            }
        }

        /** The driver keeps all calls for a while before it reports the error. */
        private static void stall(int error) {
            StandIn.stall(0, true);
            StandIn.xid(0, 43);
            Thread.ofPlatform().daemon().start(() -> {
                LockSupport.parkNanos(STALL.toNanos());
                StandIn.fault(0, error);
                StandIn.stall(0, false);
            });
        }

        private static void await(Communicator communicator, String what, long start, Runnable wait) {
            Throwable thrown = null;
            try {
                wait.run();
            } catch (CompletionException e) {
                thrown = e.getCause();
            } catch (RuntimeException e) {
                thrown = e;
            }
            long millis = (System.nanoTime() - start) / 1_000_000;
            String symbol = thrown instanceof BackendException failure ? failure.symbol() : String.valueOf(thrown);
            System.out.println(communicator.rank() + "|" + what + "|" + millis + "|" + symbol + "|"
                    + (thrown == null ? "" : thrown.getMessage()));
        }
    }

    @BeforeAll
    static void requireStandIns() {
        StandIn.requireBuilt();
    }

    @ParameterizedTest
    @CsvSource({
        "716, CUDA_ERROR_MISALIGNED_ADDRESS",
        "700, CUDA_ERROR_ILLEGAL_ADDRESS",
        "214, CUDA_ERROR_ECC_UNCORRECTABLE"
    })
    void allWaitsEndWithTheDriversError(int error, String symbol) {
        try (ChildJvm jvm = new ChildJvm(
                LosesGpu.class,
                ChildJvm.standIns(),
                Map.of("STANDIN_DEVICES", "2", "STANDIN_MULTIPROCESSORS", "132"),
                Integer.toString(error))) {
            List<String> lines = new ArrayList<>();
            for (String line = jvm.hear(); !line.startsWith("closed"); line = jvm.hear()) {
                lines.add(line);
            }
            System.out.println("DeviceFaultTest: " + lines.getFirst());
            assertEquals(11, lines.size(), lines::toString);
            for (String line : lines) {
                String[] parts = line.split("\\|", 5);
                assertEquals(symbol, parts[3], line);
                assertTrue(Long.parseLong(parts[2]) < 3_000, line); // a second, on a machine that does other things too
                assertTrue(parts[4].contains(symbol), line);
                assertTrue(parts[4].contains("GPU 0"), line);
            }
            assertAll(lines, line -> line.contains("|work|"), "rank 0: its device has failed");
            assertAll(lines, line -> line.contains("|work|"), "allreduce");
        }
    }

    /** Waits that call the driver themselves end when it answers. */
    @Test
    void waitsEndWhileTheDriverKeepsCalls() {
        int waits = 0;
        try (ChildJvm jvm = new ChildJvm(
                LosesGpu.class,
                ChildJvm.standIns(),
                Map.of("STANDIN_DEVICES", "2", "STANDIN_MULTIPROCESSORS", "132"),
                "719",
                "stalls")) {
            for (String line = jvm.hear(); !line.startsWith("closed"); line = jvm.hear()) {
                String[] parts = line.split("\\|", 5);
                assertEquals("XID_43", parts[3], line);
                assertTrue(parts[4].contains("GPU 0"), line);
                if (!CALLS_OF_THE_DRIVER.contains(parts[1])) {
                    assertTrue(Long.parseLong(parts[2]) < STALL.toMillis() / 2, line);
                    waits++;
                }
            }
            assertEquals(8, waits);
        }
    }

    private static void assertAll(List<String> lines, Predicate<String> which, String words) {
        for (String line : lines.stream().filter(which).toList()) {
            assertTrue(line.contains(words), line);
        }
    }
}
