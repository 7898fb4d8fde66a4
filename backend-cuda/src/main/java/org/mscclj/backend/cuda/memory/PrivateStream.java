package org.mscclj.backend.cuda.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.ffm.Streams;
import org.mscclj.spi.engine.Backoff;

/**
 * A stream of high priority for copies by the host. Calls are made in its GPU's context.
 *
 * @param handle the driver's {@code CUstream}
 */
record PrivateStream(long handle) {
    static PrivateStream create() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment stream = arena.allocate(ValueLayout.JAVA_LONG);
            DriverResult.check(Streams.create(true, stream), "cuStreamCreateWithPriority");
            return new PrivateStream(stream.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    /** Waits until its work has ended. */
    void await() {
        Backoff backoff = Backoff.forDevices();
        int result = Streams.query(handle);
        while (result == DriverResult.NOT_READY) {
            backoff.pause();
            result = Streams.query(handle);
        }
        DriverResult.check(result, "a copy between host and GPU");
    }

    void destroy() {
        DriverResult.check(Streams.destroy(handle), "cuStreamDestroy");
    }
}
