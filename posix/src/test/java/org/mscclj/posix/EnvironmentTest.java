package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
    private static final String VARIABLE = "MSCCLJ_TEST_OF_ENVIRONMENT";

    @BeforeAll
    static void requireLinux() {
        assumeTrue(
                PosixSupport.missing().isEmpty(), () -> PosixSupport.missing().orElse(""));
    }

    @Test
    @SuppressWarnings("restricted") // reads a string as other software does
    void aDefaultIsKept() throws Throwable {
        Environment.setDefault(VARIABLE, "first");
        Environment.setDefault(VARIABLE, "second");
        MethodHandle getenv = CLibrary.bind("getenv", FunctionDescriptor.of(ADDRESS, ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = (MemorySegment) getenv.invokeExact(arena.allocateFrom(VARIABLE));
            assertEquals("first", value.reinterpret(16).getString(0));
        }
    }

    @Test
    void aNameThatIsNoneIsRefused() {
        PosixException refused = assertThrows(PosixException.class, () -> Environment.setDefault("A=B", "C"));
        assertEquals("setenv of A=B failed: Invalid argument", refused.getMessage());
    }
}
