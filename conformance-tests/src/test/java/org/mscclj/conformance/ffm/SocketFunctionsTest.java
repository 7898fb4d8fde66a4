package org.mscclj.conformance.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import org.junit.jupiter.api.Test;

/**
 * Layouts are those of {@code linux/filter.h}. That connections are cut as they shall be shows rule
 * {@code spec0705_cutOffRanksAreNamed}.
 */
class SocketFunctionsTest {
    private static long offset(StructLayout layout, String field) {
        return layout.byteOffset(PathElement.groupElement(field));
    }

    private static void assertSize(long bytes, MemoryLayout layout) {
        assertEquals(bytes, layout.byteSize(), layout::toString);
    }

    @Test
    void instructionsAreLaidOutAsInC() {
        assertSize(8, SocketFunctions.INSTRUCTION);
        assertEquals(0, offset(SocketFunctions.INSTRUCTION, "code"));
        assertEquals(2, offset(SocketFunctions.INSTRUCTION, "jt"));
        assertEquals(3, offset(SocketFunctions.INSTRUCTION, "jf"));
        assertEquals(4, offset(SocketFunctions.INSTRUCTION, "k"));
    }

    @Test
    void programsAreLaidOutAsInC() {
        assertSize(16, SocketFunctions.PROGRAM);
        assertEquals(0, offset(SocketFunctions.PROGRAM, "len"));
        assertEquals(8, offset(SocketFunctions.PROGRAM, "filter"));
    }

    @Test
    void whatIsNoSocketTakesNoFilter() {
        assumeTrue(OwnConnections.canBeCut(), "this system has no such functions");
        assertFalse(new SocketFunctions().dropWhatComes(-1));
    }
}
