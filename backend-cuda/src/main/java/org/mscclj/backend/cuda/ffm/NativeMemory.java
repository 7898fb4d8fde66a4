package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Memory that the driver has allocated on the host, by address. A wrong address ends the process, so addresses come
 * from allocations of this backend.
 */
public final class NativeMemory {
    /** Every address there is; an offset into this segment is an absolute address. */
    @SuppressWarnings("restricted") // what this class is for
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final VarHandle LONG = JAVA_LONG.varHandle();

    private NativeMemory() {}

    /** A range of it, which closing the arena frees by {@code free}; accesses then throw. */
    @SuppressWarnings("restricted") // what this class is for
    public static MemorySegment range(long address, long bytes, Arena arena, Runnable free) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, _ -> free.run());
    }

    /** Acquire load of the aligned long at an address. */
    public static long getLongAcquire(long address) {
        return (long) LONG.getAcquire(ALL, address);
    }

    /** Release store of the aligned long at an address. */
    public static void setLongRelease(long address, long value) {
        LONG.setRelease(ALL, address, value);
    }
}
