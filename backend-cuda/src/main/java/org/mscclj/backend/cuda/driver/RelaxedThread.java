package org.mscclj.backend.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.mscclj.backend.cuda.ffm.Streams;

/**
 * While this is open, calls of this thread do not break captures of other threads, not even those of other software in
 * the strictest mode, which the driver otherwise ends as soon as anybody asks it about an event or a stream, or takes
 * or frees pinned memory. For platform threads, and for virtual ones that do not wait meanwhile: the mode is that of
 * the thread of the operating system.
 */
public final class RelaxedThread implements AutoCloseable {
    /**
     * Where the driver reads and writes the mode, for each thread, so that launches may look how far others are without
     * allocating.
     */
    private static final ThreadLocal<MemorySegment> MODE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(ValueLayout.JAVA_INT));

    /** One for each mode that the thread may have had, by its number, so that entering allocates nothing. */
    private static final List<RelaxedThread> BACK_TO =
            List.of(new RelaxedThread(0), new RelaxedThread(1), new RelaxedThread(Streams.RELAXED));

    private final int before;

    private RelaxedThread(int before) {
        this.before = before;
    }

    /** For this thread. Allocates nothing but once a thread. */
    public static RelaxedThread enter() {
        return BACK_TO.get(exchange(Streams.RELAXED));
    }

    private static int exchange(int mode) {
        MemorySegment memory = MODE.get();
        memory.set(ValueLayout.JAVA_INT, 0, mode);
        int result = Streams.exchangeCaptureMode(memory);
        if (!DriverResult.isOfLostContext(result)) { // which what is asked next says again
            DriverResult.check(result, "cuThreadExchangeStreamCaptureMode");
        }
        return memory.get(ValueLayout.JAVA_INT, 0);
    }

    @Override
    public void close() {
        exchange(before);
    }
}
