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
    private final int before;

    private RelaxedThread(int before) {
        this.before = before;
    }

    /** For this thread. */
    public static RelaxedThread enter() {
        return new RelaxedThread(exchange(Streams.RELAXED));
    }

    private static int exchange(int mode) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_INT, mode);
            DriverResult.check(Streams.exchangeCaptureMode(memory), "cuThreadExchangeStreamCaptureMode");
            return memory.get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Override
    public void close() {
        exchange(before);
    }
}
