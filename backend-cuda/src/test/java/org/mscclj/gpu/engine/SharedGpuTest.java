package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;
import org.mscclj.backend.cuda.standin.StandInKernels;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * Ranks that share a GPU: a kernel of one waits for the launch of another, while a third does what the driver does only
 * when all kernels have ended, and lets nobody launch meanwhile. The stand-in does the same.
 */
@ResourceLock(StandIn.RESOURCE)
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedGpuTest {
    private static final long A_WHILE_MILLIS = 100;
    private static final long ARGUMENT = 0;
    private static final String SOURCE = "#include <mscclj/copy.cuh>\n";

    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private EngineRank first;
    private EngineRank second;
    private EngineRank third;
    private PreparedLaunch firstLaunch;
    private PreparedLaunch secondLaunch;

    @BeforeEach
    void open() {
        first = new EngineRank(gpu.device(), 1);
        second = new EngineRank(gpu.device(), 1);
        third = new EngineRank(gpu.device(), 1);
        firstLaunch = first.prepare(1024);
        secondLaunch = second.prepare(1024);
        StandInKernels.forget();
        StandInKernels.hold();
        firstLaunch.enqueue(gpu.createStream(), false);
    }

    @AfterEach
    void close() {
        StandInKernels.letEnd();
        third.close();
        second.close();
        first.close();
    }

    /** The other rank, which is not kept out, and whose kernel lets both end. */
    private void launchTheOther() {
        int before = StandInKernels.launches().size();
        secondLaunch.enqueue(gpu.createStream(), false);
        assertEquals(before + 1, StandInKernels.launches().size());
        StandInKernels.letEnd();
    }

    private static void assertWaits(CompletableFuture<?> waiter) {
        assertThrows(TimeoutException.class, () -> waiter.get(A_WHILE_MILLIS, TimeUnit.MILLISECONDS));
    }

    /** With a kernel to load. */
    private CompletableFuture<PreparedLaunch> prepareThird() {
        return CompletableFuture.supplyAsync(() -> third.prepare(1024, ReduceOp.MAX));
    }

    /** Until the kernels have ended that wait for the launch of another. */
    private void assertLoadingWaits() {
        CompletableFuture<PreparedLaunch> prepared = prepareThird();
        assertWaits(prepared);
        launchTheOther();
        prepared.join();
    }

    private DeviceKernel compileWaitingKernel() {
        return gpu.device().compile("#include <mscclj/memorychannel.cuh>\n", "spin");
    }

    @Test
    void codeIsLoadedWhenKernelsHaveEndedAndKeepsNobodyOutBefore() {
        assertLoadingWaits();
    }

    @Test
    void kernelsOfUsersAreLoadedLikeThat() {
        CompletableFuture<DeviceKernel> loaded =
                CompletableFuture.supplyAsync(() -> gpu.device().compile(SOURCE, "spin"));
        assertWaits(loaded);
        launchTheOther();
        loaded.join().close();
    }

    @Test
    void kernelsOfUsersThatMayWaitAreWaitedFor() {
        StandInKernels.letEnd();
        Stream stream = gpu.createStream();
        try (DeviceKernel kernel = compileWaitingKernel()) {
            StandInKernels.hold();
            kernel.launch(stream, 1, 32, 0, ARGUMENT);
            assertLoadingWaits();
        }
    }

    @Test
    void theyAreWaitedForWhereTheyAreReplayed() {
        StandInKernels.letEnd();
        Stream captured = gpu.createStream();
        try (DeviceKernel kernel = compileWaitingKernel();
                Graph graph = captured.capture(() -> kernel.launch(captured, 1, 32, 0, ARGUMENT))) {
            StandInKernels.hold();
            graph.launch(gpu.createStream());
            assertLoadingWaits();
        }
    }

    @Test
    void graphsOfClosedKernelsAreNotReplayed() {
        StandInKernels.letEnd();
        Stream stream = gpu.createStream();
        DeviceKernel kernel = compileWaitingKernel();
        try (Graph graph = stream.capture(() -> kernel.launch(stream, 1, 32, 0, ARGUMENT))) {
            kernel.close();
            InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> graph.launch(stream));
            assertTrue(e.getMessage().contains("kernel spin, which this graph launches, is closed"), e::getMessage);
        }
    }

    @Test
    void theyAreWaitedForWhileTheirStreamIsCaptured() {
        StandInKernels.letEnd();
        Stream stream = gpu.createStream();
        try (DeviceKernel kernel = compileWaitingKernel()) {
            StandInKernels.hold();
            kernel.launch(stream, 1, 32, 0, ARGUMENT);
            stream.capture(this::assertLoadingWaits).close();
        }
    }

    /** Nobody tells of a stream that joins a capture by an event, and meanwhile it cannot be asked. */
    @Test
    void theyAreWaitedForWhileTheirStreamIsInTheCaptureOfAnother() {
        StandInKernels.letEnd();
        Stream stream = gpu.createStream();
        Stream captured = gpu.createStream();
        AtomicReference<CompletableFuture<PreparedLaunch>> prepared = new AtomicReference<>();
        try (DeviceKernel kernel = compileWaitingKernel();
                Event forked = gpu.device().createEvent();
                Event joined = gpu.device().createEvent()) {
            StandInKernels.hold();
            kernel.launch(stream, 1, 32, 0, ARGUMENT);
            captured.capture(() -> {
                        captured.record(forked);
                        stream.await(forked);
                        prepared.set(prepareThird());
                        assertWaits(prepared.get());
                        launchTheOther();
                        stream.record(joined);
                        captured.await(joined);
                    })
                    .close();
            prepared.get().join();
        }
    }

    @Test
    void pinnedMemoryIsFreedLaterAndWaitsForNobody() {
        DeviceBuffer pinned = gpu.device().allocateHost(4096);
        long before = StandIn.live().get(StandIn.Kind.PINNED);
        pinned.close();
        assertEquals(before, StandIn.live().get(StandIn.Kind.PINNED), "a kernel is on the GPU");
        launchTheOther();
        gpu.device().allocateHost(4096).close();
        assertEquals(before - 1, StandIn.live().get(StandIn.Kind.PINNED));
    }

    @Test
    void kernelsAreUnloadedLater() {
        StandInKernels.letEnd();
        DeviceKernel kernel = gpu.device().compile(SOURCE, "add");
        long before = StandIn.live().get(StandIn.Kind.MODULES);
        StandInKernels.hold();
        firstLaunch.enqueue(gpu.createStream(), false);
        kernel.close();
        assertEquals(before, StandIn.live().get(StandIn.Kind.MODULES), "a kernel is on the GPU");
        StandInKernels.letEnd();
        third.close();
        assertFalse(StandIn.live().get(StandIn.Kind.MODULES) >= before);
    }
}
