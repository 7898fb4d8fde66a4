package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.OtherCapture;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;
import org.mscclj.backend.cuda.standin.StandInKernels;
import org.mscclj.backend.cuda.standin.StandInKernels.Function;
import org.mscclj.backend.cuda.standin.StandInKernels.Launch;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.PreparedLaunch;

/** Launches of a plan: which kernels they have, when they have ended, and what they come after. */
@ResourceLock(StandIn.RESOURCE)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GpuLaunchTest {
    private static final long SOON = TimeUnit.SECONDS.toNanos(30);
    private static final long NOT_NOW = TimeUnit.MILLISECONDS.toNanos(1);

    /** Offsets in what a plan's kernel is given, in bytes. */
    private static final int BLOCKS = 0;

    private static final int FINISHED = 24;
    private static final int NUMBER = 32;
    private static final int ROUND_SHIFT = 40;

    /** Offset in what the kernel is given that scales, in bytes. */
    private static final int SCALE_NUMBER = 48;

    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private Stream stream;
    private Stream other;
    private EngineRank rank;

    @BeforeEach
    void open() {
        stream = gpu.createStream();
        other = gpu.createStream();
        rank = new EngineRank(gpu.device(), 2);
    }

    @AfterEach
    void close() {
        StandInKernels.letEnd();
        rank.close();
    }

    @Test
    void aSmallMessageIsOneKernel() {
        PreparedLaunch launch = rank.prepare(1024);
        assertEquals(1, launch.enqueue(stream, false));
        Launch kernel = StandInKernels.launches().getFirst();
        assertEquals(1, StandInKernels.launches().size());
        assertEquals(Function.RUN, kernel.function());
        assertEquals(2, kernel.blocks());
        assertEquals(stream.nativeHandle(), kernel.stream());
        assertEquals(0, kernel.word(ROUND_SHIFT));
        assertEquals(1, kernel.word(NUMBER));
        assertTrue(launch.isEnded(1));
    }

    /** 3 rounds and a few bytes: only the last, which has less to do, says that the launch has ended. */
    @Test
    void aLargeMessageTakesRoundsOfWhichTheLastIsSmallerAndSaysTheEnd() {
        long full = rank.roundBytes();
        PreparedLaunch launch = rank.prepare(3 * full + 256);
        launch.enqueue(stream, false);
        launch.enqueue(stream, false);
        List<Launch> kernels = StandInKernels.launches();
        assertEquals(8, kernels.size());
        for (int i = 0; i < kernels.size(); i++) {
            boolean last = i % 4 == 3;
            Launch kernel = kernels.get(i);
            assertEquals(i % 4 * full, kernel.word(ROUND_SHIFT), "kernel " + i);
            assertEquals(last ? 1 + i / 4 : 0, kernel.word(NUMBER), "kernel " + i);
            assertEquals(last ? 64 : 512, kernel.threads(), "kernel " + i);
        }
        assertTrue(launch.isEnded(2));
    }

    @Test
    void wholeRoundsAreAlike() {
        PreparedLaunch launch = rank.prepare(2 * rank.roundBytes());
        launch.enqueue(stream, false);
        List<Launch> kernels = StandInKernels.launches();
        assertEquals(2, kernels.size());
        assertEquals(kernels.getFirst().threads(), kernels.getLast().threads());
        assertEquals(rank.roundBytes(), kernels.getLast().word(ROUND_SHIFT));
    }

    /** Blocks that make the result say the end, and those before them do not. */
    @Test
    void averagesAreScaledBeforeTheFirstRoundAndBehindTheLast() {
        PreparedLaunch launch = rank.prepare(rank.roundBytes() + 4 * 1000, ReduceOp.AVG);
        StandInKernels.hold();
        launch.enqueue(stream, false);
        StandInKernels.release(1);
        assertFalse(launch.isEnded(1));
        MemorySegment words =
                StandInKernels.memory(StandInKernels.launches().get(1).word(FINISHED), 64 * Long.BYTES);
        for (int block = 0; block < 63; block++) {
            words.setAtIndex(ValueLayout.JAVA_LONG, block, 1);
        }
        assertFalse(launch.isEnded(1), "the last block of 64 has not scaled its part");
        StandInKernels.release(1);
        assertTrue(launch.isEnded(1));
        List<Launch> kernels = StandInKernels.launches();
        assertEquals(
                List.of(Function.SCALE, Function.RUN, Function.RUN, Function.SCALE),
                kernels.stream().map(Launch::function).toList());
        assertEquals(0, kernels.get(0).word(SCALE_NUMBER));
        assertEquals(0, kernels.get(2).word(NUMBER));
        assertEquals(1, kernels.get(3).word(SCALE_NUMBER));
        assertEquals(64, kernels.get(3).blocks());
    }

    @Test
    void aLaunchHasEndedWhenAllOfItsBlocksHave() {
        PreparedLaunch launch = rank.prepare(1024);
        StandInKernels.hold();
        launch.enqueue(stream, false);
        assertEquals(1, launch.enqueued());
        assertFalse(launch.isEnded(1));
        long finished = StandInKernels.launches().getFirst().word(FINISHED);
        StandInKernels.memory(finished, Long.BYTES).set(ValueLayout.JAVA_LONG, 0, 1);
        assertFalse(launch.isEnded(1), "only the first block has");
        assertFalse(launch.await(1, NOT_NOW));
        assertEquals(0, rank.order().endedCount());
        StandInKernels.release(1);
        assertTrue(launch.await(1, SOON));
        assertEquals(1, rank.order().endedCount());
        assertFalse(launch.isEnded(2));
    }

    @Test
    void whoWaitsForAnEarlierLaunchDoesNotWaitForTheLast() {
        PreparedLaunch launch = rank.prepare(1024);
        StandInKernels.hold();
        launch.enqueue(stream, false);
        launch.enqueue(stream, false);
        StandInKernels.release(1);
        assertTrue(launch.await(1, SOON));
        assertFalse(launch.await(2, NOT_NOW));
        StandInKernels.release(1);
        assertTrue(launch.await(2, SOON));
    }

    @Test
    void launchesFollowOneAnotherAcrossStreams() {
        PreparedLaunch first = rank.prepare(1024);
        PreparedLaunch second = rank.prepare(2048);
        StandInKernels.hold();
        assertEquals(1, first.enqueue(stream, false));
        assertEquals(2, second.enqueue(other, false));
        assertEquals(3, first.enqueue(stream, false));
        assertEquals(1, StandInKernels.launches().size(), "the others wait for the first");
        StandInKernels.release(1);
        assertEquals(2, StandInKernels.launches().size());
        StandInKernels.release(1);
        assertEquals(
                List.of(stream.nativeHandle(), other.nativeHandle(), stream.nativeHandle()),
                StandInKernels.launches().stream().map(Launch::stream).toList());
        assertFalse(first.isEnded(2));
        StandInKernels.release(1);
        assertTrue(first.isEnded(2));
        assertFalse(rank.abort().isSet());
    }

    @Test
    void communicatorsDoNotWaitForEachOther() {
        try (EngineRank second = new EngineRank(gpu.device(), 2)) {
            PreparedLaunch mine = rank.prepare(1024);
            PreparedLaunch its = second.prepare(1024);
            StandInKernels.hold();
            mine.enqueue(stream, false);
            its.enqueue(other, false);
            List<Launch> kernels = StandInKernels.launches();
            assertEquals(2, kernels.size());
            assertNotEquals(kernels.getFirst().word(BLOCKS), kernels.getLast().word(BLOCKS), "a state for each");
            StandInKernels.letEnd();
        }
    }

    @Test
    void whatIsEnqueuedAfterALaunchWaitsForIt() {
        PreparedLaunch launch = rank.prepare(1024);
        StandInKernels.hold();
        launch.enqueue(stream, false);
        launch.orderAfter(1, other);
        try (var event = gpu.device().createEvent()) {
            other.record(event);
            assertFalse(event.isReached());
            StandInKernels.release(1);
            assertTrue(event.isReached());
        }
    }

    @Test
    void nothingIsLaunchedForNothing() {
        PreparedLaunch something = rank.prepare(1024);
        PreparedLaunch nothing = rank.prepare(0);
        StandInKernels.hold();
        something.enqueue(stream, false);
        assertEquals(2, nothing.enqueue(stream, false));
        assertEquals(1, StandInKernels.launches().size());
        assertFalse(nothing.isEnded(1), "it comes after what has not ended");
        StandInKernels.release(1);
        assertTrue(something.await(1, SOON));
        assertTrue(nothing.await(1, SOON));
        assertEquals(2, rank.order().endedCount());
    }

    @Test
    void anAbortEndsWhatWaits() {
        PreparedLaunch launch = rank.prepare(1024);
        StandInKernels.hold();
        launch.enqueue(stream, false);
        launch.enqueue(stream, false);
        StandInKernels.release(0);
        assertFalse(launch.isEnded(1));
        rank.abort().set("on purpose");
        StandInKernels.release(0);
        assertTrue(launch.await(1, SOON));
        assertTrue(launch.await(2, SOON), "and what comes later");
    }

    @Test
    void whatIsRefusedOrClosedIsNotLaunched() {
        PreparedLaunch launch = rank.prepare(1024);
        launch.enqueue(stream, false);
        launch.refuse();
        assertThrows(InvalidArgumentException.class, () -> launch.enqueue(stream, false));
        launch.close();
        launch.close();
        assertThrows(InvalidArgumentException.class, () -> launch.enqueue(stream, false));
        assertEquals(1, StandInKernels.launches().size());
        assertTrue(launch.isEnded(1), "though its words may be somebody else's");
    }

    @Test
    void aStreamOfAnotherGpuIsRefusedAndNothingHasChanged() {
        PreparedLaunch launch = rank.prepare(1024);
        try (BackendDevice elsewhere = gpu.backend().openDevice(1);
                Stream its = elsewhere.createStream()) {
            InvalidArgumentException refused =
                    assertThrows(InvalidArgumentException.class, () -> launch.enqueue(its, false));
            assertEquals(
                    "stream is a stream of GPU 1; allowed: a stream of GPU 0, where this was prepared or"
                            + " captured: Device.createStream of that device makes one",
                    refused.getMessage());
            assertThrows(InvalidArgumentException.class, () -> its.capture(() -> launch.enqueue(its, false)));
            assertEquals(0, rank.order().taken());
            assertEquals(1, launch.enqueue(stream, false));
            try (Graph graph = stream.capture(() -> launch.enqueue(stream, false))) {
                assertThrows(InvalidArgumentException.class, () -> graph.launch(its));
                assertEquals(1, rank.order().taken());
                graph.launch(other);
            }
            assertEquals(3, launch.enqueue(stream, false));
            launch.orderAfter(2, its);
        }
        assertEquals(3, StandInKernels.launches().size());
    }

    /** The others count tickets, and this rank may try again. */
    @Test
    void aLaunchThatTheDriverRefusesTakesNoTicket() {
        PreparedLaunch launch = rank.prepare(1024);
        StandIn.fail("cuLaunchKernel", 1);
        assertThrows(BackendException.class, () -> launch.enqueue(other, false));
        assertEquals(0, rank.order().taken());
        assertEquals(0, launch.enqueued());
        assertEquals(1, launch.enqueue(stream, false));
        assertTrue(launch.await(1, SOON));
        assertEquals(1, rank.order().endedCount());
    }

    @Test
    void whatIsLeftOfALaunchThatTheDriverRefusesHalfwayIsFollowed() {
        PreparedLaunch large = rank.prepare(2 * rank.roundBytes());
        PreparedLaunch small = rank.prepare(1024);
        StandInKernels.hold();
        StandIn.fail("cuLaunchKernel", 1, 1);
        assertThrows(BackendException.class, () -> large.enqueue(other, false));
        assertEquals(1, rank.order().taken(), "a kernel of it is at work");
        assertEquals(2, small.enqueue(stream, false));
        assertEquals(1, StandInKernels.launches().size());
        StandInKernels.release(1);
        assertEquals(2, StandInKernels.launches().size());
        StandInKernels.release(1);
        assertTrue(small.await(1, SOON));
        assertFalse(rank.abort().isSet());
    }

    /** The owner of the stream may have destroyed it. */
    @Test
    void aStreamWhoseLaunchHasEndedIsNotAskedAgain() {
        PreparedLaunch launch = rank.prepare(1024);
        try (Stream adopted = gpu.device().adoptStream(stream.nativeHandle())) {
            launch.enqueue(adopted, false);
            StandIn.fail("cuEventRecord", 1);
        }
        assertEquals(1, rank.order().endedCount());
        launch.enqueue(stream, false);
        launch.enqueue(other, false);
        StandIn.fail("cuEventRecord", 0);
        assertTrue(launch.isEnded(3));
    }

    /** Their null streams have one handle, as those that PyTorch uses. */
    @Test
    void nullStreamsOfTwoGpusAreOrdered() {
        PreparedLaunch launch = rank.prepare(1024);
        StandInKernels.hold();
        try (BackendDevice second = gpu.backend().openDevice(1);
                Stream here = gpu.device().adoptStream(0);
                Stream there = second.adoptStream(0);
                Event after = second.createEvent()) {
            launch.enqueue(here, false);
            launch.orderAfter(1, there);
            there.record(after);
            assertFalse(after.isReached());
            StandInKernels.release(1);
            assertTrue(after.isReached());
        }
    }

    @Test
    void launchesFollowWhatIsOnAStreamThatIsClosed() {
        PreparedLaunch launch = rank.prepare(1024);
        StandInKernels.hold();
        try (Stream adopted = gpu.device().adoptStream(stream.nativeHandle())) {
            launch.enqueue(adopted, false);
        }
        launch.orderAfter(1, other);
        try (var event = gpu.device().createEvent()) {
            other.record(event);
            assertFalse(event.isReached());
            launch.enqueue(other, false);
            assertEquals(1, StandInKernels.launches().size());
            StandInKernels.release(1);
            assertTrue(event.isReached());
            assertEquals(2, StandInKernels.launches().size());
        }
    }

    @Test
    void aStreamIsNotClosedWhileSomebodyElseMayAskIt() throws InterruptedException {
        PreparedLaunch launch = rank.prepare(1024);
        Stream closing = gpu.device().createStream();
        launch.enqueue(closing, false);
        long streams = StandIn.live().get(StandIn.Kind.STREAMS);
        // Whoever looks has the lock, and a handle that must stay until he gives it back.
        ReentrantLock lock = rank.queueLock();
        lock.lock();
        Thread closer;
        try {
            closer = Thread.ofPlatform().start(closing::close);
            while (!lock.hasQueuedThread(closer)) {
                assertTrue(closer.isAlive(), "it has closed the stream");
                Thread.onSpinWait();
            }
            assertEquals(streams, StandIn.live().get(StandIn.Kind.STREAMS));
        } finally {
            lock.unlock();
        }
        closer.join();
        assertEquals(streams - 1, StandIn.live().get(StandIn.Kind.STREAMS));
        assertEquals(1, rank.order().endedCount());
    }

    @Test
    void whatIsOnAStreamThatIsClosedDuringACaptureMustHaveEnded() {
        PreparedLaunch launch = rank.prepare(1024);
        StandInKernels.hold();
        try (DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
                Stream adopted = gpu.device().adoptStream(stream.nativeHandle())) {
            launch.enqueue(adopted, false);
            try (OtherCapture _ = new OtherCapture(context, stream)) {
                adopted.close();
            }
        }
        InvalidArgumentException refused =
                assertThrows(InvalidArgumentException.class, () -> launch.enqueue(other, false));
        assertTrue(String.valueOf(refused.getMessage()).contains("closed during a capture"), refused::getMessage);
        assertEquals(1, rank.order().taken());
        rank.order().look();
        StandInKernels.release(1);
        assertEquals(2, launch.enqueue(other, false));
        StandInKernels.release(1);
        assertTrue(launch.await(2, SOON));
        assertEquals(2, rank.order().endedCount());
    }
}
