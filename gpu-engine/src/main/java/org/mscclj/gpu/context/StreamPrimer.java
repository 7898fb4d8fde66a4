package org.mscclj.gpu.context;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.gpu.driver.DriverErrors;

/**
 * Gives the streams of a context their first work, one stream after the other.
 *
 * <p>A stream gets its place in the hardware with its first work; events and queries are none. If two threads give two
 * streams their first work at the same moment, the driver may give both the same place, and until they are idle what is
 * enqueued on one of them holds up the other. Kernels that wait for one another, as those of ranks that share a GPU do,
 * then wait for ever. Found with driver 580 on Hopper, in most tries of a C program that launches two kernels or more
 * on each of two new streams; in none when the first work of all streams came in turn.
 */
final class StreamPrimer {
    private final DeviceContext context;

    /** What the work writes, and nobody reads. */
    private final long word;

    /** For a context, which must be current. */
    StreamPrimer(DeviceContext context) {
        this.context = context;
        this.word = PinnedMemory.allocate(context, Long.BYTES);
    }

    /** A new stream, which has had some. With the context current. */
    long createStream(boolean urgent) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(ValueLayout.JAVA_LONG);
            context.driver().check(context.driver().streams().create(urgent, made), "creating a stream");
            long stream = made.get(ValueLayout.JAVA_LONG, 0);
            try {
                give(stream);
                return stream;
            } catch (RuntimeException | Error e) {
                int _ = context.driver().streams().destroy(stream);
                throw e;
            }
        }
    }

    /** Enqueues some on a stream, and does not wait for its end. Allocates nothing. */
    synchronized void give(long stream) {
        long before = context.enter(); // here: waiting for the lock may move a virtual thread
        int result = write(stream);
        context.leave(before);
        if (result != DriverErrors.SUCCESS) {
            throw context.failure(result, "the first work of a stream");
        }
    }

    /**
     * Enqueues as little on a stream that has had its first work, and gives the driver's result. With the context
     * current. Allocates nothing.
     */
    int write(long stream) {
        return context.driver().streams().writeValue(stream, word, 0);
    }

    /** Once no stream has any to do. With the context current. */
    void free() {
        PinnedMemory.free(context, word);
    }
}
