package org.mscclj.device.kernels.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.device.kernels.source.Structures;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.device.PortChannelSpec;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.proxy.TriggerFifo;

/** The host writes the fields of channel structures at the offsets of the device library. */
class ChannelStructureTest {
    private static final long ADDRESS = 0x7000_0000L;

    /** Memory without content. */
    private record Mapped(long address, long byteSize) implements MappedMemory {
        @Override
        public void close() {}
    }

    private static DeviceBuffer buffer(long address, long bytes) {
        return (DeviceBuffer) Proxy.newProxyInstance(
                DeviceBuffer.class.getClassLoader(),
                new Class<?>[] {DeviceBuffer.class},
                (_, method, _) -> method.getName().equals("address") ? address : bytes);
    }

    private static long at(MemorySegment memory, Map<String, Long> offsets, String field) {
        return memory.get(ValueLayout.JAVA_LONG, offsets.get(field));
    }

    /** Checks the signals at the start of the structure, whose waits are counted behind it, in zeroed memory. */
    private static void assertInbound(MemorySegment memory, long structure, long awaitedSoFar) {
        Map<String, Long> offsets = Structures.offsets("mscclj/signals.cuh", "InboundSignals");
        assertEquals(InboundSignals.BYTES, offsets.get("end"));
        assertEquals(1, at(memory, offsets, "counter"));
        assertEquals(2, at(memory, offsets, "abortWord"));
        assertEquals(10, at(memory, offsets, "peerWord"));
        long awaited = at(memory, offsets, "awaited") - ADDRESS;
        assertTrue(awaited >= structure && awaited % 128 == 0, () -> "awaited at " + awaited);
        assertEquals(awaitedSoFar, memory.get(ValueLayout.JAVA_LONG, awaited));
    }

    @Test
    void memoryChannel() {
        Map<String, Long> offsets = Structures.offsets("mscclj/memorychannel.cuh", "MemoryChannel");
        assertEquals(0, offsets.get("inbound"));
        MemoryChannelSpec spec = new MemoryChannelSpec(
                0,
                new Mapped(3, 4),
                buffer(5, 6),
                Optional.of(buffer(7, 8)),
                buffer(1, 8),
                new Mapped(9, 8),
                new AbortFlag(),
                new AbortFlag());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(MemoryChannelStructure.BYTES, 8);
            MemoryChannelStructure.write(memory, ADDRESS, spec, 2, 10);
            assertInbound(memory, offsets.get("end"), 0);
            assertEquals(9, at(memory, offsets, "peerCounter"));
            assertEquals(3, at(memory, offsets, "target"));
            assertEquals(4, at(memory, offsets, "targetBytes"));
            assertEquals(5, at(memory, offsets, "origin"));
            assertEquals(6, at(memory, offsets, "originBytes"));
            assertEquals(7, at(memory, offsets, "packets"));
            assertEquals(8, at(memory, offsets, "packetBytes"));
        }
    }

    @Test
    void portChannel() {
        Map<String, Long> offsets = Structures.offsets("mscclj/portchannel.cuh", "PortChannel");
        assertEquals(0, offsets.get("inbound"));
        Map<String, Long> ring = Structures.offsets("mscclj/fifo.cuh", "PortRing");
        assertEquals(PortRing.BYTES, ring.get("end"));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment shared = arena.allocate(TriggerFifo.deviceBytes(16), 128);
            TriggerFifo fifo = TriggerFifo.ofDevice(shared, 16, 3, () -> {});
            MemorySegment memory = arena.allocate(PortChannelStructure.BYTES, 8);
            PortChannelStructure.write(
                    memory,
                    ADDRESS,
                    new PortChannelSpec(fifo, 4, 5, 6, 7, 8, buffer(1, 8), 9, new AbortFlag(), new AbortFlag()),
                    2,
                    10);
            assertInbound(memory, offsets.get("end"), 9);
            assertEquals(4, memory.get(ValueLayout.JAVA_INT, offsets.get("semaphoreId")));
            assertEquals(5, memory.get(ValueLayout.JAVA_INT, offsets.get("originId")));
            assertEquals(6, at(memory, offsets, "originBytes"));
            assertEquals(7, memory.get(ValueLayout.JAVA_INT, offsets.get("targetId")));
            assertEquals(8, at(memory, offsets, "targetBytes"));
            MemorySegment rings = memory.asSlice(offsets.get("ring"), PortRing.BYTES);
            assertEquals(shared.address(), at(rings, ring, "slots"));
            assertEquals(shared.address() + TriggerFifo.tailOffset(16), at(rings, ring, "tail"));
            assertEquals(shared.address() + TriggerFifo.flushedOffset(16), at(rings, ring, "flushed"));
            assertEquals(3, at(rings, ring, "head"));
            assertEquals(16, at(rings, ring, "capacity"));
            long seen = at(rings, ring, "tailSeen") - ADDRESS;
            assertEquals(0, memory.get(ValueLayout.JAVA_LONG, seen));
            assertEquals(0, seen % 128);
        }
    }
}
