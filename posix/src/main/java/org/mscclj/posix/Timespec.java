package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/**
 * {@code struct timespec { time_t tv_sec; long tv_nsec; }} of 64-bit Linux: a constant duration, for any number of
 * threads.
 */
public final class Timespec {
    static final StructLayout LAYOUT =
            MemoryLayout.structLayout(JAVA_LONG.withName("tv_sec"), JAVA_LONG.withName("tv_nsec"));

    private static final VarHandle SECONDS = LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("tv_sec"));
    private static final VarHandle NANOS = LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("tv_nsec"));
    private static final long NANOS_A_SECOND = 1_000_000_000L;

    private final MemorySegment segment;

    /** Creates a duration in memory that is never freed. */
    public Timespec(long nanos) {
        segment = Arena.global().allocate(LAYOUT);
        SECONDS.set(segment, 0L, nanos / NANOS_A_SECOND);
        NANOS.set(segment, 0L, nanos % NANOS_A_SECOND);
    }

    /** Returns its address. */
    public long address() {
        return segment.address();
    }
}
