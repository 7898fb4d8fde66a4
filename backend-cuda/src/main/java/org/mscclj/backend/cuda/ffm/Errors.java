package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.backend.cuda.gpu.GpuErrors;
import org.mscclj.posix.ForeignCalls;

/** The driver's words for its results. */
public final class Errors implements GpuErrors {
    private static final MethodHandle NAME =
            DriverLibrary.bind("cuGetErrorName", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle TEXT =
            DriverLibrary.bind("cuGetErrorString", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

    private static final long LONGEST_TEXT = 1024;

    /** All there is: it has no state. */
    public static final GpuErrors INSTANCE = new Errors();

    private Errors() {}

    /** {@code cuGetErrorName}: the symbolic name of a result. */
    @Override
    public String name(int result) {
        return text(NAME, result, "CUDA_ERROR_" + result);
    }

    /** {@code cuGetErrorString}: what the driver says about a result. */
    @Override
    public String text(int result) {
        return text(TEXT, result, "an error that this driver does not know");
    }

    @SuppressWarnings("restricted") // the driver gives a pointer to a constant
    private static String text(MethodHandle function, int result, String otherwise) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(ADDRESS);
            if ((int) function.invokeExact(result, pointer) != 0) {
                return otherwise;
            }
            return pointer.get(ADDRESS, 0).reinterpret(LONGEST_TEXT).getString(0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
