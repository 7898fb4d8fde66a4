package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import org.junit.jupiter.api.Test;

/**
 * Layouts are those of {@code linux/filter.h}. That connections are cut as they shall be shows rule
 * {@code spec0705_cutOffRanksAreNamed} of the conformance suite.
 */
class SocketControlTest {
    private static long offset(StructLayout layout, String field) {
        return layout.byteOffset(PathElement.groupElement(field));
    }

    private static void assertSize(long bytes, MemoryLayout layout) {
        assertEquals(bytes, layout.byteSize(), layout::toString);
    }

    @Test
    void instructionsAreLaidOutAsInC() {
        assertSize(8, SocketControl.INSTRUCTION);
        assertEquals(0, offset(SocketControl.INSTRUCTION, "code"));
        assertEquals(2, offset(SocketControl.INSTRUCTION, "jt"));
        assertEquals(3, offset(SocketControl.INSTRUCTION, "jf"));
        assertEquals(4, offset(SocketControl.INSTRUCTION, "k"));
    }

    @Test
    void programsAreLaidOutAsInC() {
        assertSize(16, SocketControl.PROGRAM);
        assertEquals(0, offset(SocketControl.PROGRAM, "len"));
        assertEquals(8, offset(SocketControl.PROGRAM, "filter"));
    }

    @Test
    void whatIsNoSocketTakesNoFilter() {
        assumeTrue(PosixSupport.missing().isEmpty(), "this system has no such functions");
        assertFalse(SocketControl.dropWhatComes(-1));
    }
}
