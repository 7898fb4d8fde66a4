package org.mscclj.device.kernels.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mscclj.device.kernels.source.Structures;

/**
 * The host writes the fields of window structures at the offsets of the device library; the conformance suite checks
 * their values on devices.
 */
class WindowStructureTest {
    @Test
    void window() {
        Map<String, Long> offsets = Structures.offsets("mscclj/window.cuh", "Window");
        assertEquals(WindowStructure.BYTES, offsets.get("end").intValue());
        assertEquals(WindowStructure.RANK, offsets.get("rank").intValue());
        assertEquals(WindowStructure.RANK_COUNT, offsets.get("rankCount").intValue());
        assertEquals(WindowStructure.ABORT_WORD, offsets.get("abortWordAddress").intValue());
        assertEquals(WindowStructure.RANKS, offsets.get("ranks").intValue());
    }

    @Test
    void rank() {
        Map<String, Long> offsets = Structures.offsets("mscclj/window.cuh", "WindowRank");
        assertEquals(WindowStructure.BYTES_OF_RANK, offsets.get("end").intValue());
        assertEquals(0, offsets.get("inbound").intValue());
        assertEquals(WindowStructure.COUNTER, offsets.get("counter").intValue());
        assertEquals(WindowStructure.MEMORY, offsets.get("memory").intValue());
        assertEquals(WindowStructure.BYTE_SIZE, offsets.get("bytes").intValue());
    }
}
