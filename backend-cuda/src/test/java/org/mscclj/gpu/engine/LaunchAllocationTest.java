package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * A launch that was prepared allocates nothing in the thread that makes it and waits for it, down to the calls of the
 * driver. The runtime's AllocationTest looks at all threads, on the CPU.
 *
 * <p>This holds once the VM has compiled the code, so launches are repeated until a whole round of them allocates
 * nothing, which must happen in time.
 */
@ResourceLock(StandIn.RESOURCE)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LaunchAllocationTest {
    private static final int LAUNCHES = 1_000;

    /** How long the compiler may take on a busy machine until it removes objects that do not escape. */
    private static final Duration UNTIL_COMPILED = Duration.ofSeconds(60);

    private static final long SOON = TimeUnit.SECONDS.toNanos(30);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private Stream stream;
    private EngineRank rank;

    @BeforeEach
    void open() {
        stream = gpu.createStream();
        rank = new EngineRank(gpu.device(), 2);
    }

    @AfterEach
    void close() {
        rank.close();
    }

    @Test
    void launchesOfOneKernelAllocateNothing() {
        requireNoAllocation(rank.prepare(1024), launch -> launch.enqueue(stream, false));
    }

    @Test
    void launchesInRoundsAllocateNothing() {
        requireNoAllocation(rank.prepare(3 * rank.roundBytes() + 256), launch -> launch.enqueue(stream, false));
    }

    @Test
    void launchesThatScaleAllocateNothing() {
        requireNoAllocation(rank.prepare(4000, ReduceOp.AVG), launch -> launch.enqueue(stream, false));
    }

    /** One whose table is an argument of its kernel, and one whose table is too large for that. */
    @ParameterizedTest
    @ValueSource(ints = {1, 500})
    void launchesOfMessagesAllocateNothing(int messages) {
        try (EngineRank ofMessages = EngineRank.ofMessages(gpu.device())) {
            requireNoAllocation(ofMessages.prepareMessages(messages, 10_000), launch -> launch.enqueue(stream, false));
        }
    }

    /** That the meter sees what there is to see. */
    @Test
    void whatAllocatesIsSeen() {
        PreparedLaunch launch = rank.prepare(1024);
        byte[][] kept = new byte[1][];
        long bytes = allocated(launch, one -> {
            kept[0] = new byte[100];
            return one.enqueue(stream, false);
        });
        assertTrue(bytes >= 100L * LAUNCHES, LAUNCHES + " launches with 100 bytes each allocated " + bytes + " bytes");
    }

    private static void requireNoAllocation(PreparedLaunch launch, ToLongFunction<PreparedLaunch> launching) {
        long bytes = Long.MAX_VALUE;
        long end = System.nanoTime() + UNTIL_COMPILED.toNanos();
        while (bytes > 0 && System.nanoTime() < end) {
            bytes = allocated(launch, launching);
        }
        assertTrue(
                bytes == 0,
                LAUNCHES + " launches allocated " + bytes + " bytes, after " + UNTIL_COMPILED.toSeconds() + " s");
    }

    private static long allocated(PreparedLaunch launch, ToLongFunction<PreparedLaunch> launching) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < LAUNCHES; i++) {
            long number = launching.applyAsLong(launch);
            if (!launch.await(number, SOON)) {
                throw new AssertionError("launch " + number + " has not ended");
            }
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
