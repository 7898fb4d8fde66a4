package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.IntCall;
import org.mscclj.posix.NativeLibrary;

/**
 * The events and the fabric of NVML, the library of {@code nvidia-smi}, which is installed with the driver. Functions
 * return NVML's result, and {@link #MISSING} if there is no library. Source: NVML's reference, "Event Handling
 * Methods".
 */
public final class Nvml {
    /** The system property with a file that replaces the library, for tests. */
    static final String PROPERTY = "mscclj.nvml.library";

    /** {@code NVML_SUCCESS}. */
    public static final int SUCCESS = 0;

    /** {@code NVML_ERROR_TIMEOUT}: no event arrived in time. */
    public static final int TIMEOUT = 10;

    /** {@code NVML_ERROR_LIBRARY_NOT_FOUND}. */
    public static final int MISSING = 12;

    /** {@code nvmlEventTypeXidCriticalError}. */
    public static final long XID = 8;

    /**
     * {@code nvmlEventData_t}: the device, the kind of event, its number (for an Xid event the Xid), and two instances.
     */
    static final MemoryLayout EVENT = MemoryLayout.structLayout(
            ADDRESS.withName("device"),
            JAVA_LONG.withName("eventType"),
            JAVA_LONG.withName("eventData"),
            JAVA_INT.withName("gpuInstanceId"),
            JAVA_INT.withName("computeInstanceId"));

    private static final long EVENT_DATA = EVENT.byteOffset(MemoryLayout.PathElement.groupElement("eventData"));

    private static final NativeLibrary LIBRARY = NativeLibrary.find(
            List.of(System.getProperty(PROPERTY, "libnvidia-ml.so.1")),
            "NVML (libnvidia-ml.so.1) is not there; it is installed with the NVIDIA driver",
            UnsupportedException::new);

    private static final MethodHandle INIT = LIBRARY.bind("nvmlInit_v2", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle DEVICE =
            LIBRARY.bind("nvmlDeviceGetHandleByUUID", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    private static final IntCall CREATE = LIBRARY.call("nvmlEventSetCreate", ADDRESS);
    private static final MethodHandle REGISTER =
            LIBRARY.bind("nvmlDeviceRegisterEvents", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle WAIT =
            LIBRARY.bind("nvmlEventSetWait_v2", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_INT));
    private static final String FABRIC_NAME = "nvmlDeviceGetGpuFabricInfoV";
    private static final IntCall FABRIC = LIBRARY.call(FABRIC_NAME, JAVA_LONG, ADDRESS);
    private static final String COUNT_NAME = "nvmlDeviceGetCount_v2";
    private static final IntCall COUNT = LIBRARY.call(COUNT_NAME, ADDRESS);
    private static final IntCall BY_INDEX = LIBRARY.call("nvmlDeviceGetHandleByIndex_v2", JAVA_INT, ADDRESS);
    private static final IntCall FREE = LIBRARY.call("nvmlEventSetFree", JAVA_LONG);

    private Nvml() {}

    /** {@code nvmlInit_v2}. */
    public static int init() {
        if (LIBRARY.where().isEmpty()) {
            return MISSING;
        }
        try {
            return (int) INIT.invokeExact();
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code nvmlDeviceGetHandleByUUID}.
     *
     * @param uuid as {@code nvidia-smi -L} prints it, with {@code GPU-} in front
     * @param device where to write the handle
     */
    public static int device(String uuid, MemorySegment device) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) DEVICE.invokeExact(arena.allocateFrom(uuid), device);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code nvmlEventSetCreate}.
     *
     * @param events where to write the handle
     */
    public static int create(MemorySegment events) {
        return CREATE.call(events);
    }

    /** {@code nvmlDeviceRegisterEvents}. */
    public static int register(long device, long kinds, long events) {
        try {
            return (int) REGISTER.invokeExact(device, kinds, events);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Allocates memory for an event. */
    public static MemorySegment event(Arena arena) {
        return arena.allocate(EVENT);
    }

    /** {@code nvmlEventSetWait_v2}: waits for the next event. */
    public static int await(long events, MemorySegment event, int millis) {
        try {
            return (int) WAIT.invokeExact(events, event, millis);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** The number of an event: the Xid, if its kind is {@link #XID}. */
    public static long number(MemorySegment event) {
        return event.get(JAVA_LONG, EVENT_DATA);
    }

    /** {@code nvmlDeviceGetCount}: writes the number of GPUs of the system, an int. */
    static int count(MemorySegment number) {
        return LIBRARY.has(COUNT_NAME) ? COUNT.call(number) : MISSING;
    }

    /** {@code nvmlDeviceGetHandleByIndex}. */
    static int byIndex(int index, MemorySegment device) {
        return BY_INDEX.call(index, device);
    }

    /** {@code nvmlDeviceGetGpuFabricInfoV}, since driver 550; see {@link NvmlFabric}. */
    static int fabric(long device, MemorySegment info) {
        return LIBRARY.has(FABRIC_NAME) ? FABRIC.call(device, info) : MISSING;
    }

    /** {@code nvmlEventSetFree}. */
    public static int free(long events) {
        return FREE.call(events);
    }
}
