package org.mscclj.gpu.mapping;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.MemoryCalls;

/**
 * The driver's IPC handle of an ordinary allocation, for other processes. The handle does not keep the memory alive.
 *
 * @param content {@link #BYTES} bytes that only the driver understands
 */
public record IpcHandle(MemorySegment content) {
    /** The size of a handle, in bytes. */
    public static final int BYTES = MemoryCalls.HANDLE_BYTES;

    /**
     * Returns the handle of the allocation that starts at an address. The GPU's context must be current.
     *
     * @throws BackendException if the driver returns none
     */
    public static IpcHandle of(DeviceContext context, long start) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(BYTES, Long.BYTES);
            context.driver().check(context.driver().memory().exportHandle(handle, start), "exporting an IPC handle");
            return new IpcHandle(MemorySegment.ofArray(handle.toArray(ValueLayout.JAVA_BYTE)));
        }
    }

    public static IpcHandle decode(ByteBuffer from) {
        byte[] bytes = new byte[BYTES];
        from.get(bytes);
        return new IpcHandle(MemorySegment.ofArray(bytes));
    }

    public void encode(ByteBuffer to) {
        to.put(content.asByteBuffer());
    }

    /**
     * Opens the handle of another process in the current context of a GPU. Each handle is opened once for each context,
     * because some versions of the driver refuse more.
     */
    public OpenedHandle open(DeviceContext context) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment start = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment handle = arena.allocate(BYTES, Long.BYTES).copyFrom(content);
            context.driver()
                    .check(
                            context.driver().memory().openHandle(start, handle),
                            "opening an IPC handle for GPU " + context.ordinal()
                                    + ", of memory that other software of a peer has allocated (the peer may have freed"
                                    + " it or ended, or not share the"
                                    + " host's IPC namespace)");
            return new OpenedHandle(context, start.get(ValueLayout.JAVA_LONG, 0));
        }
    }
}
