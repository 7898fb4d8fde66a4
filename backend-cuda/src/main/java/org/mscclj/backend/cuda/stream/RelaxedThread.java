package org.mscclj.backend.cuda.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.ffm.Streams;

/**
 * While this is open, calls of this thread do not break captures of other threads, not even those of other software in the strictest mode, which the
 * driver otherwise ends as soon as anybody asks it about an event.
 */
public final class RelaxedThread implements AutoCloseable {
    /** Where the driver reads and writes the mode, for each thread, so that launches may look how far others are without allocating. */
    private static final ThreadLocal<MemorySegment> MODE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(ValueLayout.JAVA_INT));

    private final int before;

    private RelaxedThread(int before) {
        this.before = before;
    }

    /** For this thread. */
    public static RelaxedThread enter() {
        return new RelaxedThread(exchange(Streams.RELAXED));
    }

    private static int exchange(int mode) {
        MemorySegment memory = MODE.get();
        memory.set(ValueLayout.JAVA_INT, 0, mode);
        DriverResult.check(Streams.exchangeCaptureMode(memory), "cuThreadExchangeStreamCaptureMode");
        return memory.get(ValueLayout.JAVA_INT, 0);
    }

    @Override
    public void close() {
        exchange(before);
    }
}
