package org.mscclj.device.kernels.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.device.kernels.source.Nvcc;
import org.mscclj.device.kernels.source.Structures;

class TraceRingsTest {
    /** Adds an event as a kernel does. */
    private static void add(MemorySegment memory, TraceRings rings, int block, long number) {
        long ring = rings.offset(block);
        long added = memory.get(ValueLayout.JAVA_LONG, ring + TraceRings.ADDED);
        long capacity = memory.get(ValueLayout.JAVA_LONG, ring + TraceRings.CAPACITY);
        long event = ring + TraceRings.RING_BYTES + added % capacity * TraceRings.EVENT_BYTES;
        memory.set(ValueLayout.JAVA_LONG, event + TraceRings.BEGAN, 100 * number);
        memory.set(ValueLayout.JAVA_LONG, event + TraceRings.ENDED, 100 * number + 50);
        memory.set(ValueLayout.JAVA_LONG, event + TraceRings.OPERATION, TraceRings.operationWord(7, number << 32));
        memory.set(ValueLayout.JAVA_LONG, event + TraceRings.LAUNCH, number + 1);
        memory.set(ValueLayout.JAVA_LONG, ring + TraceRings.ADDED, added + 1);
    }

    private static List<List<Long>> read(MemorySegment memory, TraceRings rings, int block) {
        List<List<Long>> events = new ArrayList<>();
        rings.read(
                memory,
                block,
                (operation, launch, began, ended, bytes) ->
                        events.add(List.of((long) operation, launch, began, ended, bytes)));
        return events;
    }

    @Test
    void theLastEventsOfEachBlockAreKept() {
        TraceRings rings = new TraceRings(3, 4);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(rings.byteSize(), 8);
            rings.initialise(memory);
            for (long number = 0; number < 6; number++) {
                add(memory, rings, 1, number);
            }
            add(memory, rings, 2, 9);
            assertEquals(List.of(), read(memory, rings, 0));
            assertEquals(
                    List.of(
                            List.of(7L, 3L, 200L, 250L, 2L << 32),
                            List.of(7L, 4L, 300L, 350L, 3L << 32),
                            List.of(7L, 5L, 400L, 450L, 4L << 32),
                            List.of(7L, 6L, 500L, 550L, 5L << 32)),
                    read(memory, rings, 1));
            assertEquals(List.of(List.of(7L, 10L, 900L, 950L, 9L << 32)), read(memory, rings, 2));
        }
    }

    @Test
    void operationsHaveSixteenBits() {
        assertEquals(0xffff | 5L << 16, TraceRings.operationWord(0xffff, 5));
        assertThrows(IllegalArgumentException.class, () -> TraceRings.operationWord(0x10000, 5));
        assertThrows(IllegalArgumentException.class, () -> TraceRings.operationWord(-1, 5));
    }

    @Test
    void offsetsAreThoseOfTheDeviceLibrary() {
        Map<String, Long> ring = Structures.offsets("mscclj/trace.cuh", "TraceRing");
        assertEquals(TraceRings.RING_BYTES, ring.get("end"));
        assertEquals(TraceRings.ADDED, ring.get("added"));
        assertEquals(TraceRings.CAPACITY, ring.get("capacity"));
        Map<String, Long> event = Structures.offsets("mscclj/trace.cuh", "TraceEvent");
        assertEquals(TraceRings.EVENT_BYTES, event.get("end"));
        assertEquals(TraceRings.BEGAN, event.get("began"));
        assertEquals(TraceRings.ENDED, event.get("ended"));
        assertEquals(TraceRings.OPERATION, event.get("operation"));
        assertEquals(TraceRings.LAUNCH, event.get("launch"));
        Map<String, Long> clock = Structures.offsets("mscclj/clock.cuh", "ClockArguments");
        assertEquals(ClockKernel.ARGUMENT_BYTES, clock.get("end"));
        assertEquals(ClockKernel.WORDS_ADDRESS, clock.get("words"));
        assertEquals(ClockKernel.QUESTIONS, clock.get("questions"));
        assertEquals(ClockKernel.TIMEOUT, clock.get("timeout"));
    }

    @Test
    void theClockIsCompiled(@TempDir Path folder) throws IOException, InterruptedException {
        assertEquals("", Nvcc.compile(folder, ClockKernel.create().source()));
    }
}
