package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.IntCall;

/**
 * Functions of the driver that are called before JCuda is loaded. They return the driver's result unless their javadoc
 * specifies otherwise.
 */
public final class Driver {
    private static final MethodHandle INIT = DriverLibrary.bind("cuInit", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle VERSION =
            DriverLibrary.bind("cuDriverGetVersion", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle DEVICE_COUNT =
            DriverLibrary.bind("cuDeviceGetCount", FunctionDescriptor.of(JAVA_INT, ADDRESS));

    private static final String BUS_ADDRESS_NAME = "cuDeviceGetPCIBusId";
    private static final IntCall BUS_ADDRESS = DriverLibrary.call(BUS_ADDRESS_NAME, ADDRESS, JAVA_INT, JAVA_INT);

    private Driver() {}

    /** {@code cuDeviceGetPCIBusId}, of a GPU by its ordinal, which is the handle of the device. */
    public static int busAddress(MemorySegment text, int bytes, int ordinal) {
        return DriverLibrary.has(BUS_ADDRESS_NAME) ? BUS_ADDRESS.call(text, bytes, ordinal) : Errors.NOT_SUPPORTED;
    }

    /** {@code cuInit}. */
    public static int initialize() {
        try {
            return (int) INIT.invokeExact(0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuDriverGetVersion}: 12020 is 12.2; 0 or less if it fails. */
    public static int version() {
        return read(VERSION);
    }

    /** {@code cuDeviceGetCount}; the negated result if it fails. */
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
}
