package org.mscclj.backend.cuda.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.CudaTransportProvider;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.OtherCapture;
import org.mscclj.backend.cuda.standin.OtherSoftware;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInBackend;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;

@ResourceLock(StandIn.RESOURCE)
class CudaTransportTest {
    private static final int BYTES = 400_000;

    private StandInBackend backend;
    private BackendDevice sender;
    private BackendDevice receiver;
    private Transport here;
    private Transport there;
    private DeviceBuffer source;
    private DeviceBuffer target;
    private LocalMemory local;
    private LocalMemory registered;
    private RemoteMemory remote;
    private TransportConnection connection;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        backend = new StandInBackend();
        sender = backend.openDevice(0);
        receiver = backend.openDevice(1);
        here = new CudaTransportProvider().open(sender);
        there = new CudaTransportProvider().open(receiver);
        source = sender.allocate(BYTES);
        target = receiver.allocate(BYTES);
        local = here.register(source);
        registered = there.register(target);
        remote = here.importMemory(registered.describe());
        TransportEndpoint endpoint = here.createEndpoint(there.describeAddress());
        connection = endpoint.connect(new byte[0]);
    }

    @AfterEach
    void close() {
        StandIn.unready(0);
        connection.close();
        remote.close();
        local.close();
        registered.close();
        source.close();
        target.close();
        here.close();
        there.close();
        sender.close();
        receiver.close();
        backend.close();
    }

    @Test
    void writesArriveAndSignalsCount() {
        assertTrue(here.reaches(there.describeAddress()));
        byte[] data = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            data[i] = (byte) (i * 31);
        }
        source.copyFrom(MemorySegment.ofArray(data));
        assertEquals(1, connection.write(local, 100, remote, 200, BYTES - 200));
        assertEquals(2, connection.write(local, 0, remote, 0, 0));
        assertEquals(3, connection.signal(remote, 8));
        assertEquals(4, connection.signal(remote, 8));
        assertEquals(5, connection.signal(remote, 16));
        byte[] arrived = new byte[BYTES - 200];
        target.slice(200, BYTES - 200).copyTo(MemorySegment.ofArray(arrived));
        byte[] expected = new byte[BYTES - 200];
        System.arraycopy(data, 100, expected, 0, expected.length);
        assertArrayEquals(expected, arrived);
        assertEquals(2, receiver.readCounter(target, 8));
        assertEquals(1, receiver.readCounter(target, 16));
    }

    @Test
    void memoryOfOtherSoftwareIsWrittenAndRead() {
        try (DeviceContext first = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
                DeviceContext second = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1))) {
            long from = OtherSoftware.allocate(first, BYTES);
            long to = OtherSoftware.allocate(second, BYTES);
            try (DeviceBuffer input = sender.adoptMemory(from + 40, 64);
                    DeviceBuffer output = receiver.adoptMemory(to + 80, 64);
                    LocalMemory own = here.register(input);
                    LocalMemory offered = there.register(output);
                    RemoteMemory peers = here.importMemory(offered.describe())) {
                input.copyFrom(MemorySegment.ofArray(new long[] {1, 2, 3, 4, 5, 6, 7, 8}));
                connection.write(own, 8, peers, 16, 24);
                connection.signal(peers, 0);
                long[] arrived = new long[8];
                output.copyTo(MemorySegment.ofArray(arrived));
                assertArrayEquals(new long[] {1, 0, 2, 3, 4, 0, 0, 0}, arrived);
                assertThrows(InvalidArgumentException.class, output::close);
            }
            OtherSoftware.free(first, from);
            OtherSoftware.free(second, to);
        }
    }

    @Test
    void memoryOfAnotherTransportIsRefused() {
        LocalMemory theirs = there.register(target);
        RemoteMemory mine = there.importMemory(local.describe());
        assertThrows(InvalidArgumentException.class, () -> connection.write(theirs, 0, remote, 0, 8));
        assertThrows(InvalidArgumentException.class, () -> connection.signal(mine, 0));
        mine.close();
        theirs.close();
    }

    @Test
    void countersGoOnFromTheValueThatTheyHave() {
        receiver.raiseCounter(target, 64);
        connection.signal(remote, 64);
        assertEquals(2, receiver.readCounter(target, 64));
    }

    @Test
    void countersOfMemoryThatWasUnmappedAreForgotten() {
        RemoteMemory earlier = here.importMemory(registered.describe());
        connection.signal(earlier, 64);
        connection.signal(earlier, 64);
        earlier.close();
        target.slice(64, 8).copyFrom(MemorySegment.ofArray(new long[1])); // as other memory that the driver puts there
        RemoteMemory later = here.importMemory(registered.describe());
        connection.signal(later, 64);
        connection.signal(later, 64);
        assertEquals(2, receiver.readCounter(target, 64));
        later.close();
    }

    @Test
    void completionFollowsTheStream() {
        assertEquals(0, connection.completed());
        StandIn.unready(2);
        connection.write(local, 0, remote, 0, 8);
        assertEquals(0, connection.completed()); // an event is recorded
        assertEquals(0, connection.completed());
        assertEquals(0, connection.completed());
        assertEquals(1, connection.completed());
        assertEquals(1, connection.completed());
    }

    @Test
    void failuresOfTheDriverAreThrown() {
        StandIn.fail("cuMemcpyDtoDAsync_v2", 1);
        assertThrows(BackendException.class, () -> connection.write(local, 0, remote, 0, 8));
    }

    @Test
    void buffersThatAreRegisteredStayOpen() {
        assertThrows(InvalidArgumentException.class, source::close);
    }

    /** Nobody who captures knows when a proxy works. */
    @Test
    void aConnectionAtWorkBreaksNoCaptureOfOtherSoftware() {
        try (DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
                Stream captured = sender.createStream();
                OtherCapture _ = new OtherCapture(context, captured)) {
            connection.write(local, 0, remote, 0, 8);
            connection.signal(remote, 64);
            assertEquals(0, connection.completed());
            assertEquals(2, connection.completed());
            receiver.raiseCounter(target, 128);
            assertEquals(1, receiver.readCounter(target, 128));
            source.copyTo(MemorySegment.ofArray(new byte[BYTES]));
        }
    }

    @Test
    void aConnectionThatCannotBeMadeLeavesNothing() {
        TransportEndpoint endpoint = here.createEndpoint(there.describeAddress());
        Map<StandIn.Kind, Long> idle = StandIn.live();
        for (int event = 0; event < 5; event++) { // that of the stream's copies, and 4 of its own
            StandIn.fail("cuEventCreate", event, 1);
            assertThrows(BackendException.class, () -> endpoint.connect(new byte[0]));
            assertEquals(idle, StandIn.live(), "event " + event);
        }
    }
}
