package org.mscclj.gpu.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInBackend;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.spi.device.BackendDevice;

/**
 * Other software in the process may have made another GPU current: its next allocation must be there, whatever is done
 * here in between.
 */
@ResourceLock(StandIn.RESOURCE)
class CallersContextTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private StandInBackend backend;
    private BackendDevice device;
    private DeviceContext other;
    private long theirs;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        backend = new StandInBackend();
        device = backend.openDevice(0);
        other = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1));
        other.use();
        theirs = CudaDriver.INSTANCE.contexts().current();
        assertTrue(other.is(theirs));
    }

    @AfterEach
    void close() {
        assertEquals(0, CudaDriver.INSTANCE.contexts().setCurrent(0));
        other.close();
        device.close();
        backend.close();
    }

    private void assertUnchanged(String after) {
        assertEquals(theirs, CudaDriver.INSTANCE.contexts().current(), after);
    }

    @Test
    void staysCurrent() {
        try (DeviceBuffer source = device.allocate(8);
                DeviceBuffer target = device.allocate(8);
                Stream stream = device.createStream();
                Event event = device.createEvent()) {
            assertUnchanged("allocate, createStream and createEvent");
            source.copyFrom(MemorySegment.ofArray(new long[] {42}));
            assertUnchanged("copyFrom");
            stream.copy(source, target);
            assertUnchanged("copy");
            stream.record(event);
            assertUnchanged("record");
            stream.await(event);
            assertUnchanged("await");
            stream.synchronize(LONG);
            assertUnchanged("synchronize");
            assertTrue(event.isReached());
            assertUnchanged("isReached");
            try (Graph graph = stream.capture(() -> {
                assertUnchanged("the beginning of a capture");
                stream.copy(source, target);
                assertUnchanged("a captured copy");
            })) {
                assertUnchanged("capture");
                graph.launch(stream);
                assertUnchanged("a replay");
                stream.synchronize(LONG);
            }
            assertUnchanged("closing a graph");
        }
        assertUnchanged("closing");
    }

    /** Other software may have destroyed the context that the calling thread has left current. */
    @Test
    void mayBeDestroyed() {
        other.close();
        try (DeviceBuffer source = device.allocate(8);
                DeviceBuffer target = device.allocate(8);
                Stream stream = device.createStream();
                Graph graph = stream.capture(() -> stream.copy(source, target))) {
            graph.launch(stream);
            stream.synchronize(LONG);
        } finally {
            other = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1));
        }
    }

    /** So that a thread of a rank sets it once, and not for each launch. */
    @Test
    void isOursWhereThereWasNone() {
        assertEquals(0, CudaDriver.INSTANCE.contexts().setCurrent(0));
        try (Stream stream = device.createStream()) {
            assertFalse(stream.isCapturing());
        }
        try (DeviceContext own = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0))) {
            assertTrue(own.is(CudaDriver.INSTANCE.contexts().current()));
        }
    }
}
