package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A pipe ends with its last end for writing. */
class PipeTest {
    @BeforeAll
    static void requireLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "eventfd and /proc are Linux's");
    }

    @Test
    void itEndsWithTheLastWriter() {
        Pipe own = Pipe.create();
        Pipe others = Pipe.ofWriter(own.anotherWriter());
        assertFalse(own.hasEnded());
        assertEquals(0, NativeFile.close(own.writing()));
        assertFalse(own.hasEnded());
        assertFalse(others.hasEnded());
        assertEquals(0, NativeFile.close(others.writing()));
        assertTrue(own.hasEnded());
        assertTrue(others.hasEnded());
        assertEquals(0, NativeFile.close(own.reading()));
        assertEquals(0, NativeFile.close(others.reading()));
    }
}
