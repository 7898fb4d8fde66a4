package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.mscclj.gpu.driver.MulticastCalls;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.IntCall;

/**
 * Calls for multicast objects. They return the driver's result. {@link Linking} does not bind these functions, so that
 * none is looked up where multicast is off: the first call of a method binds them.
 */
public final class Multicasts implements MulticastCalls {
    private static final String CREATE_NAME = "cuMulticastCreate";

    /** {@code CU_MULTICAST_GRANULARITY_MINIMUM}. */
    static final int MINIMUM = 0;

    /** {@code CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED}. */
    static final int SUPPORTED = 132;

    /** {@code CU_MEM_HANDLE_TYPE_FABRIC}. */
    static final int FABRIC = 8;

    /** {@code CUDA_ERROR_OUT_OF_MEMORY}. */
    static final int OUT_OF_MEMORY = 2;

    /** {@code CUDA_ERROR_ILLEGAL_STATE}. */
    static final int ILLEGAL_STATE = 401;

    /** {@code CUDA_ERROR_NOT_PERMITTED}. */
    static final int NOT_PERMITTED = 800;

    /** {@code CUDA_ERROR_SYSTEM_NOT_READY}. */
    static final int SYSTEM_NOT_READY = 802;

    /** {@code CUmulticastObjectProp}. */
    static final StructLayout PROPERTIES = MemoryLayout.structLayout(
            JAVA_INT.withName("numDevices"),
            MemoryLayout.paddingLayout(4),
            JAVA_LONG.withName("size"),
            JAVA_LONG.withName("handleTypes"),
            JAVA_LONG.withName("flags"));

    /** The functions, bound when this class is initialized. */
    private static final class Functions {
        static final MethodHandle GRANULARITY = DriverLibrary.bind(
                "cuMulticastGetGranularity", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        static final IntCall CREATE = DriverLibrary.call(CREATE_NAME, ADDRESS, ADDRESS);
        static final IntCall ADD_DEVICE = DriverLibrary.call("cuMulticastAddDevice", JAVA_LONG, JAVA_INT);
        static final MethodHandle BIND_MEMORY = DriverLibrary.bind(
                "cuMulticastBindMem",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        static final MethodHandle BIND_ADDRESS = DriverLibrary.bind(
                "cuMulticastBindAddr",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        static final IntCall UNBIND =
                DriverLibrary.call("cuMulticastUnbind", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle ATTRIBUTE = DriverLibrary.bind(
                "cuDeviceGetAttribute", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        static final IntCall EXPORT =
                DriverLibrary.call("cuMemExportToShareableHandle", ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG);
        static final IntCall IMPORT = DriverLibrary.call("cuMemImportFromShareableHandle", ADDRESS, ADDRESS, JAVA_INT);

        private Functions() {}
    }

    /** The only instance: it has no state. */
    public static final MulticastCalls INSTANCE = new Multicasts();

    private Multicasts() {}

    @Override
    public boolean present() {
        return DriverLibrary.has(CREATE_NAME);
    }

    @Override
    public String firstDriver() {
        return "530 (CUDA 12.1)";
    }

    @Override
    public String neededHardware() {
        return "GPUs that are joined by NVSwitches, from H100 on, and all switches in order";
    }

    @Override
    public Optional<String> advice(int result) {
        return switch (result) {
            case ILLEGAL_STATE, SYSTEM_NOT_READY ->
                Optional.of("the switches or their fabric manager are not in order: check \"systemctl status"
                        + " nvidia-fabricmanager\" on the host, and Fabric in \"nvidia-smi -q\"; then restart the"
                        + " fabric manager, or turn multicast off");
            case OUT_OF_MEMORY ->
                Optional.of("the switches may have no memory left for more groups, also because of other processes:"
                        + " end other jobs, use fewer communicators, or turn multicast off");
            case NOT_PERMITTED ->
                Optional.of("this process may not use IMEX channels: check /dev/nvidia-caps-imex-channels, which"
                        + " \"nvidia-modprobe -s -i 0:1\" makes on the host and a container must be given");
            case Errors.NOT_SUPPORTED ->
                Optional.of("not all of these GPUs reach each other through the same switches; in a container, check"
                        + " that the device nodes /dev/nvidia-nvswitch* and /dev/nvidia-caps are there");
            default -> Optional.empty();
        };
    }

    /** {@code cuDeviceGetAttribute}. */
    @Override
    public int supported(int ordinal, MemorySegment can) {
        try {
            return (int) Functions.ATTRIBUTE.invokeExact(can, SUPPORTED, ordinal);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** The properties of an object, in the driver's layout. */
    static MemorySegment properties(Arena arena, Kind kind) {
        MemorySegment properties = arena.allocate(PROPERTIES);
        properties.set(JAVA_INT, 0, kind.members());
        properties.set(JAVA_LONG, 8, kind.bytes());
        properties.set(JAVA_LONG, 16, (kind.shareable() ? VirtualMemory.DESCRIPTOR : 0) | (kind.fabric() ? FABRIC : 0));
        return properties;
    }

    /** {@code cuMulticastGetGranularity}, the least one: the recommended one is that of large pages. */
    @Override
    public int granularity(MemorySegment bytes, Kind kind) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) Functions.GRANULARITY.invokeExact(bytes, properties(arena, kind), MINIMUM);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMulticastCreate}. */
    @Override
    public int create(MemorySegment handle, Kind kind) {
        try (Arena arena = Arena.ofConfined()) {
            return Functions.CREATE.call(handle, properties(arena, kind));
        }
    }

    /** {@code cuMulticastAddDevice}. */
    @Override
    public int addDevice(long object, int ordinal) {
        return Functions.ADD_DEVICE.call(object, ordinal);
    }

    /** {@code cuMulticastBindMem}. */
    @Override
    public int bindMemory(long object, long offset, long memory, long memoryOffset, long bytes) {
        try {
            return (int) Functions.BIND_MEMORY.invokeExact(object, offset, memory, memoryOffset, bytes, 0L);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMulticastBindAddr}. */
    @Override
    public int bindAddress(long object, long offset, long address, long bytes) {
        try {
            return (int) Functions.BIND_ADDRESS.invokeExact(object, offset, address, bytes, 0L);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuMulticastUnbind}. */
    @Override
    public int unbind(long object, int ordinal, long offset, long bytes) {
        return Functions.UNBIND.call(object, ordinal, offset, bytes);
    }

    /** {@code cuMemExportToShareableHandle}: {@code CUmemFabricHandle}. */
    @Override
    public int exportFabric(MemorySegment fabric, long object) {
        return Functions.EXPORT.call(fabric, object, FABRIC, 0L);
    }

    /** {@code cuMemImportFromShareableHandle}, of a {@code CUmemFabricHandle}. */
    @Override
    public int importFabric(MemorySegment handle, MemorySegment fabric) {
        return Functions.IMPORT.call(handle, fabric, FABRIC);
    }
}
