package org.mscclj.gpu.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.PacketType;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInBackend;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.device.PortChannelSpec;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.DeviceHandle;
import org.mscclj.spi.proxy.TriggerFifo;

/** What kernels are told of channels, on the stand-in, whose device memory the host can read. */
@ResourceLock(StandIn.RESOURCE)
class DeviceChannelsTest {
    private static final int CAPACITY = 16;

    private final AbortFlag abort = new AbortFlag();
    private final AbortFlag peerEnd = abort.follower();
    private final List<String> wakes = new ArrayList<>();
    private StandInBackend backend;
    private BackendDevice device;
    private BackendDevice peer;
    private DeviceBuffer own;
    private DeviceBuffer peers;
    private MappedMemory mapped;
    private DeviceBuffer ring;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        backend = new StandInBackend();
        device = backend.openDevice(0);
        peer = backend.openDevice(1);
        own = device.allocate(4096);
        peers = peer.allocate(2048);
        mapped = device.map(peer.export(peers));
        ring = device.allocateHost(TriggerFifo.deviceBytes(CAPACITY));
    }

    @AfterEach
    void close() {
        ring.close();
        mapped.close();
        peers.close();
        own.close();
        peer.close();
        device.close();
        backend.close();
    }

    private MemoryChannel memoryChannel() {
        return memoryChannel(peerEnd);
    }

    private MemoryChannel memoryChannel(AbortFlag ending) {
        return device.createMemoryChannel(new MemoryChannelSpec(
                1,
                mapped,
                own.slice(0, 1024),
                Optional.of(own.slice(1024, 512)),
                own.slice(2048, 8),
                mapped,
                abort,
                ending));
    }

    private DeviceHandle portHandle(TriggerFifo fifo) {
        return device.createPortHandle(
                new PortChannelSpec(fifo, 3, 4, 1024, 5, 2048, own.slice(2048, 8), 6, abort, peerEnd));
    }

    private TriggerFifo fifo() {
        return TriggerFifo.ofDevice(ring.segment(), CAPACITY, own.address() + 4088, () -> wakes.add("woken"));
    }

    private long word(long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment image = arena.allocate(ValueLayout.JAVA_LONG);
            DeviceBuffer foreign = device.adoptMemory(address, Long.BYTES);
            foreign.copyTo(image);
            foreign.close();
            return image.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    @Test
    void aMemoryChannelIsAStructureOnTheGpu() {
        try (MemoryChannel channel = memoryChannel()) {
            long handle = channel.deviceHandle();
            assertEquals(handle, channel.deviceHandle());
            assertEquals(own.address() + 2048, word(handle));
            assertEquals(0, word(word(handle + 8)), "nothing was awaited");
            assertEquals(mapped.address(), word(handle + 32));
            assertEquals(mapped.address(), word(handle + 40));
            assertEquals(own.address(), word(handle + 48));
            assertEquals(own.address() + 1024, word(handle + 56));
            assertEquals(2048, word(handle + 64));
        }
    }

    @Test
    void threadsOfTheHostCannotUseIt() {
        try (MemoryChannel channel = memoryChannel()) {
            Duration soon = Duration.ofMillis(1);
            for (Executable operation : List.<Executable>of(
                    () -> channel.put(0, 0, 8),
                    () -> channel.get(0, 0, 8),
                    () -> channel.read(0),
                    () -> channel.write(0, 1),
                    channel::signal,
                    channel::signalRelaxed,
                    channel::poll,
                    () -> channel.await(soon),
                    () -> channel.putPackets(0, 0, 8, 1, PacketType.LL8),
                    () -> channel.getPackets(0, 0, 8, 1, PacketType.LL8, soon))) {
                UnsupportedException e = assertThrows(UnsupportedException.class, operation);
                assertTrue(String.valueOf(e.getMessage()).contains("HOST_CHANNELS"), e::getMessage);
            }
        }
    }

    @Test
    void aClosedChannelHasNoHandle() {
        MemoryChannel channel = memoryChannel();
        channel.close();
        channel.close();
        assertThrows(InvalidArgumentException.class, channel::deviceHandle);
    }

    @Test
    void channelsOfACommunicatorShareItsAbortWord() {
        DeviceHandle port = portHandle(fifo());
        try (MemoryChannel one = memoryChannel();
                MemoryChannel two = memoryChannel()) {
            long abortWord = word(one.deviceHandle() + 16);
            assertNotEquals(one.deviceHandle(), two.deviceHandle());
            assertNotEquals(word(one.deviceHandle() + 8), word(two.deviceHandle() + 8), "each counts its waits");
            assertEquals(abortWord, word(two.deviceHandle() + 16));
            assertEquals(abortWord, word(port.address() + 16));
            one.close();
            assertEquals(0, NativeMemory.getLongAcquire(abortWord));
            abort.set("the test says so");
            assertEquals(1, NativeMemory.getLongAcquire(abortWord));
        }
        port.close();
    }

    @Test
    void theWordOfAPeerThatHasClosedIsSetAlone() {
        AbortFlag other = abort.follower();
        DeviceHandle port = portHandle(fifo());
        try (MemoryChannel one = memoryChannel();
                MemoryChannel toAnother = memoryChannel(other)) {
            long abortWord = word(one.deviceHandle() + 16);
            long peerWord = word(one.deviceHandle() + 24);
            long othersWord = word(toAnother.deviceHandle() + 24);
            assertEquals(peerWord, word(port.address() + 24), "channels to one peer share its word");
            assertNotEquals(peerWord, abortWord);
            assertNotEquals(peerWord, othersWord);
            peerEnd.lose(1, "it has closed");
            assertEquals(1, NativeMemory.getLongAcquire(peerWord));
            assertEquals(0, NativeMemory.getLongAcquire(abortWord));
            assertEquals(0, NativeMemory.getLongAcquire(othersWord));
            abort.set("the test says so");
            assertEquals(1, NativeMemory.getLongAcquire(abortWord));
            assertEquals(1, NativeMemory.getLongAcquire(othersWord), "it follows the communicator's");
        }
        port.close();
    }

    @Test
    void aPortChannelStartsFromWhatTheHostHasAwaited() {
        DeviceHandle port = portHandle(fifo());
        assertEquals(6, word(word(port.address() + 8)));
        assertEquals(ring.address(), word(port.address() + 32));
        assertEquals(3 | 4L << 32, word(port.address() + 80));
        port.close();
        port.close();
    }

    @Test
    void launchesOfKernelsWakeTheProxiesOfTheirRings() {
        TriggerFifo fifo = fifo();
        try (Stream stream = device.createStream();
                DeviceKernel kernel = device.compile("", "add")) {
            kernel.launch(stream, 1, 1, 0, own.address() + 3000, 1);
            assertEquals(List.of(), wakes);
            DeviceHandle one = portHandle(fifo);
            DeviceHandle two = portHandle(fifo);
            kernel.launch(stream, 1, 1, 0, own.address() + 3000, 1);
            assertEquals(List.of("woken"), wakes);
            one.close();
            kernel.launch(stream, 1, 1, 0, own.address() + 3000, 1);
            assertEquals(List.of("woken", "woken"), wakes);
            two.close();
            kernel.launch(stream, 1, 1, 0, own.address() + 3000, 1);
            assertEquals(List.of("woken", "woken"), wakes);
        }
    }

    @Test
    void whatCannotBeMadeLeavesNothing() {
        StandIn.fail("cuMemcpyHtoDAsync_v2", 1);
        assertThrows(BackendException.class, this::memoryChannel);
    }
}
