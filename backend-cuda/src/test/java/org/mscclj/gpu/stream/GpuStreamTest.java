package org.mscclj.gpu.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.device.StreamPriority;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.OtherCapture;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInBackend;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.driver.GpuDriver;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.ReplayListener;

@ResourceLock(StandIn.RESOURCE)
class GpuStreamTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private StandInBackend backend;
    private BackendDevice device;
    private Stream stream;
    private DeviceBuffer source;
    private DeviceBuffer target;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        backend = new StandInBackend();
        device = backend.openDevice(0);
        stream = device.createStream();
        source = device.allocate(8);
        target = device.allocate(8);
        source.copyFrom(MemorySegment.ofArray(new long[] {42}));
    }

    @AfterEach
    void close() {
        StandIn.unready(0);
        device.close();
        stream.close();
        source.close();
        target.close();
        backend.close();
    }

    private long value() {
        long[] value = new long[1];
        target.copyTo(MemorySegment.ofArray(value));
        return value[0];
    }

    @Test
    void copiesAndEventsKeepTheirOrder() {
        StandIn.unready(3);
        try (Event event = device.createEvent()) {
            assertTrue(event.isReached());
            stream.copy(source, target);
            stream.record(event);
            stream.await(event);
            assertFalse(event.isReached());
            stream.synchronize(LONG);
            assertTrue(event.isReached());
            assertEquals(42, value());
        }
    }

    /** A driver of which only the name of its backend can be asked. */
    private static GpuDriver driverOf(String backend) {
        return (GpuDriver) Proxy.newProxyInstance(
                GpuDriver.class.getClassLoader(), new Class<?>[] {GpuDriver.class}, (_, method, _) -> {
                    assertEquals("backend", method.getName());
                    return backend;
                });
    }

    @Test
    void eventsOfAnotherBackendAreRefused() {
        try (Event event = device.createEvent()) {
            InvalidArgumentException e =
                    assertThrows(InvalidArgumentException.class, () -> GpuEvent.of(event, driverOf("other")));
            assertTrue(String.valueOf(e.getMessage()).contains("an event of backend cuda"), e::getMessage);
        }
    }

    @Test
    void hostMemoryIsCopiedWithoutHoldingUpAnybody() {
        DeviceBuffer pinned = device.allocateHost(8);
        pinned.segment().set(ValueLayout.JAVA_LONG, 0, 44);
        StandIn.unready(-1);
        stream.copy(pinned, source);
        assertThrows(InvalidArgumentException.class, pinned::close);
        StandIn.unready(0);
        stream.copy(source, target);
        stream.synchronize(LONG);
        assertEquals(44, value());
        source.copyFrom(MemorySegment.ofArray(new long[] {45}));
        stream.copy(source, pinned);
        stream.synchronize(LONG);
        assertEquals(45, pinned.segment().get(ValueLayout.JAVA_LONG, 0));
        pinned.close();
        pinned.close();
        assertThrows(InvalidArgumentException.class, () -> stream.copy(pinned, target));
    }

    @Test
    void capturedCopiesOfHostMemoryKeepIt() {
        DeviceBuffer pinned = device.allocateHost(8);
        try (Graph graph = stream.capture(() -> {
            stream.copy(pinned, source);
            stream.copy(source, target);
        })) {
            assertThrows(InvalidArgumentException.class, pinned::close);
            for (long round = 1; round < 3; round++) {
                pinned.segment().set(ValueLayout.JAVA_LONG, 0, round);
                graph.launch(stream);
                stream.synchronize(LONG);
                assertEquals(round, value());
            }
        }
        pinned.close();
    }

    @Test
    void buffersOfCopiesUnderWayStayOpen() {
        StandIn.unready(-1);
        stream.copy(source, target.slice(0, 8));
        assertThrows(InvalidArgumentException.class, source::close);
        assertThrows(InvalidArgumentException.class, target::close);
        StandIn.unready(0);
        source.close();
        target.close();
        assertThrows(InvalidArgumentException.class, () -> stream.copy(source, target));
    }

    @Test
    void waitingHasALimit() {
        StandIn.unready(-1);
        assertThrows(OperationTimeoutException.class, () -> stream.synchronize(Duration.ofMillis(1)));
    }

    @Test
    void capturedWorkIsCarriedOutByEachLaunch() {
        Graph graph = stream.capture(() -> {
            assertTrue(GpuStream.of(stream).isCapturing());
            stream.copy(source, target);
        });
        assertFalse(GpuStream.of(stream).isCapturing());
        assertEquals(0, value());
        graph.launch(stream);
        assertEquals(42, value());
        source.copyFrom(MemorySegment.ofArray(new long[] {43}));
        graph.launch(stream);
        stream.synchronize(LONG);
        assertEquals(43, value());
        graph.close();
        graph.close();
        assertThrows(InvalidArgumentException.class, () -> graph.launch(stream));
    }

    @Test
    void aCaptureThatThrowsLeavesNothing() {
        IllegalStateException mine = new IllegalStateException("mine");
        assertEquals(
                mine,
                assertThrows(
                        IllegalStateException.class,
                        () -> stream.capture(() -> {
                            stream.copy(source, target);
                            throw mine;
                        })));
        stream.synchronize(LONG);
        assertEquals(0, value());
    }

    @Test
    void aCaptureThatBlocksOnItsStreamFails() {
        assertThrows(BackendException.class, () -> stream.capture(() -> stream.synchronize(LONG)));
        BackendException broken = assertThrows(
                BackendException.class,
                () -> stream.capture(() -> assertThrows(BackendException.class, () -> stream.synchronize(LONG))));
        assertEquals("CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", broken.symbol());
    }

    @Test
    void whoCapturesIsToldWhenTheGraphIsGone() {
        GraphLife[] life = new GraphLife[2];
        Graph graph = stream.capture(() -> {
            CaptureInfo capture = GpuStream.of(stream).capture();
            life[0] = GraphLife.of(capture);
            assertSame(life[0], GraphLife.of(capture));
            assertTrue(CapturedLaunches.of(capture).isPresent());
            CaptureInfo ofOther = new CaptureInfo(driverOf("other"), capture.id(), capture.graph());
            assertTrue(CapturedLaunches.of(ofOther).isEmpty(), "each driver counts its captures alone");
        });
        assertFalse(life[0].isOver()); // the executable lives, though the graph it was made of does not
        graph.launch(stream);
        assertFalse(life[0].isOver());
        graph.close();
        assertTrue(life[0].isOver());
        assertTrue(life[0].isOver());

        assertThrows(
                IllegalStateException.class,
                () -> stream.capture(() -> {
                    life[1] = GraphLife.of(GpuStream.of(stream).capture());
                    throw new IllegalStateException("on purpose");
                }));
        assertTrue(life[1].isOver());
    }

    @Test
    void buffersOfCapturedCopiesStayUntilTheGraphIsGone() {
        Graph graph = stream.capture(() -> stream.copy(source, target));
        assertThrows(InvalidArgumentException.class, source::close);
        assertThrows(InvalidArgumentException.class, target::close);
        graph.launch(stream);
        stream.synchronize(LONG);
        assertEquals(42, value());
        graph.close();
        source.close();
        target.close();
    }

    @Test
    void capturesDoNotBeginWithinCaptures() {
        InvalidArgumentException e = assertThrows(
                InvalidArgumentException.class,
                () -> stream.capture(() -> stream.capture(() -> stream.copy(source, target))));
        assertEquals("the stream is being captured already; end that capture first", e.getMessage());
    }

    @Test
    void graphsAreNotLaunchedIntoCaptures() {
        try (Graph graph = stream.capture(() -> stream.copy(source, target))) {
            assertThrows(InvalidArgumentException.class, () -> stream.capture(() -> graph.launch(stream)));
        }
    }

    @Test
    void aStreamIsClosedAlsoIfAUserFails() {
        GpuStream adopted = GpuStream.of(device.adoptStream(stream.nativeHandle()));
        List<String> told = new ArrayList<>();
        adopted.beforeClosing(() -> {
            throw new IllegalStateException("on purpose");
        });
        adopted.beforeClosing(() -> told.add("second"));
        assertThrows(IllegalStateException.class, adopted::close);
        assertTrue(adopted.isClosed());
        assertEquals(List.of("second"), told);
        adopted.close();
    }

    @Test
    void graphsAreLaunchedInTheOrderOfWhatTheyHold() {
        List<String> log = new ArrayList<>();
        record Logged(ReplayOrder order, List<String> log) implements CapturedLaunch {
            @Override
            public void replayed() {
                log.add("replayed");
            }
        }
        record Order(long number, ReentrantLock lock, List<String> log) implements ReplayOrder {
            @Override
            public void awaitCapacity(long more) {
                assertFalse(lock.isLocked());
                log.add("room " + number);
            }

            @Override
            public void follow(GpuStream on) {
                assertTrue(lock.isHeldByCurrentThread());
                log.add("follows " + number);
                if (log.size() > 20) {
                    throw new InvalidArgumentException("enough");
                }
            }

            @Override
            public long beginReplay(GpuStream on, boolean shared) {
                assertTrue(lock.isHeldByCurrentThread());
                log.add("begins " + number + (shared ? " for all" : ""));
                return 10 * number;
            }

            @Override
            public void markReplay() {
                assertTrue(lock.isHeldByCurrentThread());
                log.add("marks " + number);
            }

            @Override
            public void replayed(long ticket) {
                assertFalse(lock.isLocked());
                log.add("told " + ticket);
            }
        }
        Order first = new Order(1, new ReentrantLock(), log);
        Order second = new Order(2, new ReentrantLock(), log);
        try (Graph graph = stream.capture(() -> {
            CapturedLaunches work =
                    CapturedLaunches.of(GpuStream.of(stream).capture()).orElseThrow();
            work.add(new Logged(second, log), false, told(log));
            work.add(new Logged(first, log), false, told(log));
            work.add(new Logged(second, log), true, told(log));
            work.add(new Logged(second, log), false, told(log));
            stream.copy(source, target);
        })) {
            graph.launch(stream);
            assertEquals(
                    List.of(
                            "room 1",
                            "room 2",
                            "follows 1",
                            "follows 2",
                            "begins 1",
                            "begins 2 for all",
                            "marks 1",
                            "marks 2",
                            "1 launches replayed as 10",
                            "told 10",
                            "3 launches replayed as 20",
                            "told 20",
                            "replayed",
                            "replayed"),
                    log);
            log.clear();
            StandIn.fail("cuGraphLaunch", 1);
            assertThrows(BackendException.class, () -> graph.launch(stream));
            assertEquals(List.of("room 1", "room 2", "follows 1", "follows 2"), log, "nobody has taken a place");
            assertFalse(first.lock.isLocked() || second.lock.isLocked());
            log.clear();
            stream.synchronize(LONG);
            assertEquals(42, value());
            target.copyFrom(MemorySegment.ofArray(new long[] {1}));
            log.addAll(Collections.nCopies(20, "more"));
            assertThrows(InvalidArgumentException.class, () -> graph.launch(stream));
            stream.synchronize(LONG);
            assertEquals(1, value());
        }
    }

    @Test
    void whoUsesAForeignStreamIsToldBeforeItIsClosed() {
        List<Boolean> closed = new ArrayList<>();
        GpuStream adopted = GpuStream.of(device.adoptStream(stream.nativeHandle()));
        Runnable action = () -> closed.add(adopted.isClosed());
        Runnable forgotten = () -> closed.add(true);
        adopted.beforeClosing(action);
        adopted.beforeClosing(action);
        adopted.beforeClosing(forgotten);
        adopted.forget(forgotten);
        adopted.close();
        assertEquals(List.of(false), closed);
    }

    @Test
    void foreignStreamsStayTheirOwners() {
        Stream adopted = device.adoptStream(stream.nativeHandle());
        adopted.copy(source, target);
        adopted.close();
        assertThrows(InvalidArgumentException.class, () -> adopted.copy(source, target));
        stream.synchronize(LONG);
        assertEquals(42, value());
        try (BackendDevice other = backend.openDevice(1)) {
            assertThrows(InvalidArgumentException.class, () -> other.adoptStream(stream.nativeHandle()));
        }
    }

    @Test
    void aStreamThatCannotBeMadeLeavesNothing() {
        Map<StandIn.Kind, Long> idle = StandIn.live();
        for (String function :
                new String[] {"cuStreamCreateWithPriority", "cuStreamWriteValue64_v2", "cuEventCreate"}) {
            StandIn.fail(function, 1);
            assertThrows(BackendException.class, device::createStream, function);
            assertEquals(idle, StandIn.live(), function);
        }
        StandIn.fail("cuGraphUpload", 1);
        assertThrows(BackendException.class, () -> stream.capture(() -> stream.copy(source, target)));
        assertEquals(idle, StandIn.live());
    }

    @Test
    void streamsHaveThePriorityThatTheyAreGiven() {
        device.createStream().close();
        assertEquals(0, StandIn.priority());
        device.createStream(StreamPriority.HIGH).close();
        assertEquals(-5, StandIn.priority(), "the highest that there is");
        device.createStream(StreamPriority.NORMAL).close();
        assertEquals(0, StandIn.priority());
    }

    @Test
    void closedStreamsAreRefused() {
        Stream closed = device.createStream();
        closed.close();
        closed.close();
        assertThrows(InvalidArgumentException.class, () -> closed.copy(source, target));
        assertThrows(InvalidArgumentException.class, () -> GpuStream.of(closed));
    }

    @Test
    void virtualThreadsMayUseStreams() throws InterruptedException {
        StandIn.unready(1000);
        Thread thread = Thread.ofVirtual().start(() -> {
            stream.copy(source, target);
            stream.synchronize(LONG);
        });
        thread.join();
        StandIn.unready(0);
        assertEquals(42, value());
    }

    /** Logs replays, and of how many launches. */
    private static ReplayListener told(List<String> log) {
        return listener(log, 1);
    }

    private static ReplayListener listener(List<String> log, int launches) {
        return new ReplayListener() {
            @Override
            public void replayed(long ticket) {
                log.add(launches + " launches replayed as " + ticket);
            }

            @Override
            public ReplayListener together(List<ReplayListener> all) {
                return listener(log, all.size());
            }
        };
    }

    /** So that tests which want nothing to be broken can fail. */
    @Test
    void whoAsksTheDriverWithoutCareBreaksCapturesOfOtherSoftware() {
        try (DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
                Stream other = device.createStream()) {
            OtherCapture broken = new OtherCapture(context, other);
            assertEquals(900, CudaDriver.INSTANCE.streams().query(stream.nativeHandle()));
            assertEquals(901, broken.end());
            OtherCapture whole = new OtherCapture(context, other);
            stream.synchronize(LONG);
            try (Event event = device.createEvent()) {
                stream.record(event);
                assertTrue(event.isReached());
            }
            assertEquals(0, whole.end());
        }
    }

    @Test
    void aCaptureDoesNotMeanThatACopyHasEnded() {
        StandIn.unready(-1);
        stream.copy(source, target);
        StandIn.fail("cuEventQuery", 900);
        assertThrows(InvalidArgumentException.class, source::close);
        StandIn.fail("cuEventQuery", 700);
        source.close();
        StandIn.unready(0);
    }

    /** Another thread has begun to capture the stream between the question whether somebody does and the copy. */
    @Test
    void aCopyWhoseEventACaptureHasIsAskedForByAnother() {
        try (DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
                OtherCapture _ = new OtherCapture(context, stream)) {
            StandIn.fail("cuStreamIsCapturing", 1);
            stream.copy(source, target);
        }
        assertThrows(InvalidArgumentException.class, source::close, "nothing is known");
        source.close();
    }

    @Test
    void closingAsksAgainWhereTheDriverDoesNotAnswer() throws InterruptedException {
        Stream closing = device.createStream();
        StandIn.unready(-1);
        closing.copy(source, target);
        StandIn.fail("cuStreamQuery", 900);
        Thread closer = Thread.ofPlatform().start(closing::close);
        while (closer.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(closer.isAlive(), "it has not waited");
            Thread.onSpinWait();
        }
        StandIn.unready(0);
        closer.join();
        assertThrows(InvalidArgumentException.class, () -> closing.copy(source, target));
    }

    @Test
    void aStreamThatIsBeingCapturedStaysOpen() {
        try (Graph graph = stream.capture(() -> {
            stream.copy(source, target);
            InvalidArgumentException refused = assertThrows(InvalidArgumentException.class, stream::close);
            assertEquals(
                    "this stream is being captured; end the capture before the stream is closed", refused.getMessage());
        })) {
            graph.launch(stream);
            stream.synchronize(LONG);
            assertEquals(42, value());
        }
    }

    @Test
    void aNameForAnotherStreamInEachThreadIsRefused() {
        InvalidArgumentException refused = assertThrows(InvalidArgumentException.class, () -> device.adoptStream(2));
        assertTrue(String.valueOf(refused.getMessage()).contains("the stream per thread (2)"), refused::getMessage);
        try (Stream legacy = device.adoptStream(1);
                Stream other = device.adoptStream(0)) {
            assertEquals(other.nativeHandle(), legacy.nativeHandle());
            legacy.copy(source, target);
            legacy.synchronize(LONG);
            assertEquals(42, value());
        }
    }
}
