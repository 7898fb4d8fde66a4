package org.mscclj.cli.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The report of memory that many communicators have leaked. */
class ManyCommunicatorsTest {
    @Test
    void leakedMemoryIsReported() {
        assertEquals(
                "1.5 MiB of device memory less free than after the first of them, 2.0 MiB allowed",
                ManyCommunicators.judged(3 << 19, 2 << 20));
        assertEquals(
                "-1.0 MiB of device memory less free than after the first of them, 2.0 MiB allowed",
                ManyCommunicators.judged(-1 << 20, 2 << 20));
        ManyCommunicators.judged(2 << 20, 2 << 20);
        IllegalStateException more =
                assertThrows(IllegalStateException.class, () -> ManyCommunicators.judged((2 << 20) + 1, 2 << 20));
        assertTrue(String.valueOf(more.getMessage()).contains("leave memory behind"), more::getMessage);
    }
}
