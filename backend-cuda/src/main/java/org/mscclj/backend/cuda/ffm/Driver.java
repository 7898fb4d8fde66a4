package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.posix.ForeignCalls;

/**
 * What is asked of the driver before JCuda is loaded, and which context is current. Functions give the driver's result
 * unless they say otherwise.
 */
public final class Driver {
    private static final MethodHandle INIT = DriverLibrary.bind("cuInit", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle VERSION =
            DriverLibrary.bind("cuDriverGetVersion", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle DEVICE_COUNT =
            DriverLibrary.bind("cuDeviceGetCount", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle ERROR_NAME =
            DriverLibrary.bind("cuGetErrorName", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle ERROR_TEXT =
            DriverLibrary.bind("cuGetErrorString", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle GET_CURRENT =
            DriverLibrary.bind("cuCtxGetCurrent", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle SET_CURRENT =
            DriverLibrary.bind("cuCtxSetCurrent", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

    /** Where the driver writes the current context of a thread, so that asking allocates nothing. */
    private static final ThreadLocal<MemorySegment> CURRENT =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(JAVA_LONG));

    private static final long LONGEST_TEXT = 1024;

    private Driver() {}

    /** {@code cuInit}. */
    public static int initialize() {
        try {
            return (int) INIT.invokeExact(0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuDriverGetVersion}: 12020 is 12.2; 0 or less if it failed. */
    public static int version() {
        return read(VERSION);
    }

    /** {@code cuDeviceGetCount}; the negative result if it failed. */
    public static int deviceCount() {
        return read(DEVICE_COUNT);
    }

    private static int read(MethodHandle function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            int result = (int) function.invokeExact(value);
            return result == 0 ? value.get(JAVA_INT, 0) : -result;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuGetErrorName}: the symbolic name of a result. */
    public static String errorName(int result) {
        return text(ERROR_NAME, result, "CUDA_ERROR_" + result);
    }

    /** {@code cuGetErrorString}: what the driver says about a result. */
    public static String errorText(int result) {
        return text(ERROR_TEXT, result, "an error that this driver does not know");
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

    /**
     * {@code cuCtxGetCurrent}: the context of the calling thread, 0 if it has none. Allocates nothing but once a
     * thread.
     */
    public static long currentContext() {
        MemorySegment context = CURRENT.get();
        try {
            return (int) GET_CURRENT.invokeExact(context) == 0 ? context.get(JAVA_LONG, 0) : 0;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuCtxSetCurrent}. */
    public static int setCurrentContext(long context) {
        try {
            return (int) SET_CURRENT.invokeExact(context);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
