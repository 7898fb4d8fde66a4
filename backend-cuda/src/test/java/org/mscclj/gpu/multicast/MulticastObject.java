package org.mscclj.gpu.multicast;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** A multicast object of the driver, or a handle of one of another process. */
final class MulticastObject implements AutoCloseable {
    /** What positions and sizes are multiples of. */
    static final long GRANULARITY = 2 << 20;

    private final long handle;
    private final long bytes;
    private final List<Runnable> undo = new ArrayList<>();
    private final List<Runnable> bindings = new ArrayList<>();

    private MulticastObject(long handle, long bytes) {
        this.handle = handle;
        this.bytes = bytes;
        undo.add(() -> DriverCalls.call("cuMemRelease", handle));
    }

    /** Properties of an object; {@code CUmulticastObjectProp}. */
    static MemorySegment properties(Arena arena, int devices, long bytes, boolean shareable) {
        MemorySegment properties = arena.allocate(4 * Long.BYTES, Long.BYTES);
        properties.set(ValueLayout.JAVA_INT, 0, devices);
        properties.set(ValueLayout.JAVA_LONG, 8, bytes);
        properties.set(ValueLayout.JAVA_LONG, 16, shareable ? 1 : 0);
        return properties;
    }

    /** Creates an object. */
    static MulticastObject create(int devices, long bytes, boolean shareable) {
        try (Arena arena = Arena.ofConfined()) {
            return new MulticastObject(
                    DriverCalls.get("cuMulticastCreate", properties(arena, devices, bytes, shareable)), bytes);
        }
    }

    /** Imports an object by a descriptor, which stays open. */
    static MulticastObject imported(long descriptor, long bytes) {
        return new MulticastObject(DriverCalls.get("cuMemImportFromShareableHandle", descriptor, 1), bytes);
    }

    /** Makes a device's context that of this thread. */
    static void enter(int device) {
        DriverCalls.call("cuCtxSetCurrent", DriverCalls.get("cuDevicePrimaryCtxRetain", device));
        DriverCalls.call("cuDevicePrimaryCtxRelease_v2", device);
    }

    long handle() {
        return handle;
    }

    /** A descriptor of the object for other processes. */
    int export() {
        return (int) DriverCalls.get("cuMemExportToShareableHandle", handle, 1, 0L);
    }

    void add(int device) {
        DriverCalls.call("cuMulticastAddDevice", handle, device);
    }

    /** Binds mapped memory of a device. */
    void bind(int device, long offset, long address, long size) {
        DriverCalls.call("cuMulticastBindAddr", handle, offset, address, size, 0L);
        bindings.add(() -> DriverCalls.call("cuMulticastUnbind", handle, device, offset, size));
    }

    /** Maps the object for a device, whose context is current; returns its address. */
    long map(int device) {
        long address = DriverCalls.get("cuMemAddressReserve", bytes, 0L, 0L, 0L);
        undo.add(() -> DriverCalls.call("cuMemAddressFree", address, bytes));
        DriverCalls.call("cuMemMap", address, bytes, 0L, handle, 0L);
        undo.add(() -> DriverCalls.call("cuMemUnmap", address, bytes));
        try (Arena arena = Arena.ofConfined()) {
            DriverCalls.call("cuMemSetAccess", address, bytes, access(arena, device), 1L);
        }
        return address;
    }

    /** {@code CUmemAccessDesc} of a device that reads and writes. */
    static MemorySegment access(Arena arena, int device) {
        return arena.allocateFrom(ValueLayout.JAVA_INT, 1, device, 3);
    }

    /** Leaves the object to the other members, with the memory that was bound. */
    void leave() {
        bindings.clear();
        close();
    }

    /** Undoes everything. */
    @Override
    public void close() {
        bindings.forEach(Runnable::run);
        bindings.clear();
        undo.reversed().forEach(Runnable::run);
        undo.clear();
    }
}
