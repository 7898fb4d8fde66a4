package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class NativeSemaphoreTest {
    @Test
    @SuppressWarnings("restricted") // calls the function as other software does
    void isPostedByTheFunction() throws Throwable {
        assumeTrue(
                PosixSupport.missing().isEmpty(), () -> PosixSupport.missing().orElse(""));
        MethodHandle post = Linker.nativeLinker()
                .downcallHandle(
                        MemorySegment.ofAddress(NativeSemaphore.post()),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
        NativeSemaphore semaphore = new NativeSemaphore();
        assertFalse(semaphore.isPosted());
        int _ = (int) post.invokeExact(semaphore.address());
        assertTrue(semaphore.isPosted());
        semaphore.free();
    }
}
