package org.mscclj.backend.cuda.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.backend.cuda.CudaBackendProvider;
import org.mscclj.backend.cuda.UsedContexts;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;

@ResourceLock(StandIn.RESOURCE)
class CudaStreamTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private Map<StandIn.Kind, Long> before;
    private Backend backend;
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
        before = StandIn.live();
        backend = new CudaBackendProvider().open(BackendOptions.threads());
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
        UsedContexts.forget();
        assertEquals(before, StandIn.live());
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
            assertTrue(CudaStream.of(stream).isCapturing());
            stream.copy(source, target);
        });
        assertFalse(CudaStream.of(stream).isCapturing());
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
        for (String function : new String[] {"cuStreamCreateWithPriority", "cuEventCreate"}) {
            StandIn.fail(function, 1);
            assertThrows(BackendException.class, device::createStream, function);
            assertEquals(idle, StandIn.live(), function);
        }
        StandIn.fail("cuGraphUpload", 1);
        assertThrows(BackendException.class, () -> stream.capture(() -> stream.copy(source, target)));
        assertEquals(idle, StandIn.live());
    }

    @Test
    void closedStreamsAreRefused() {
        Stream closed = device.createStream();
        closed.close();
        closed.close();
        assertThrows(InvalidArgumentException.class, () -> closed.copy(source, target));
        assertThrows(InvalidArgumentException.class, () -> CudaStream.of(closed));
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
}
