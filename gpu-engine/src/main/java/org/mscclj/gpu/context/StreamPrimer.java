package org.mscclj.gpu.context;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.gpu.driver.DriverErrors;

/**
 * Gives the streams of a context their first work, one stream after the other.
 *
 * <p>A stream gets its place in the hardware with its first work; events and queries are no such work. If two threads
 * give two streams their first work at the same moment, the driver may give both streams one place. Until they are
 * idle, the work enqueued on one of them then holds up the other. Kernels that wait for one another, as those of ranks
 * that share a GPU do, then wait for ever. Found with driver 580 on Hopper, in most runs of a C program that launches
 * two kernels or more on each of two new streams; in none when the streams received their first work one after the
 * other.
 */
final class StreamPrimer {
    private final DeviceContext context;

    /** The destination of the work's writes, which is never read. */
    private final long word;

    /** Creates a primer for a context, which must be current. */
    StreamPrimer(DeviceContext context) {
        this.context = context;
        this.word = PinnedMemory.allocate(context, Long.BYTES);
    }

    /** Creates a stream, and gives it its first work. The context must be current. */
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

    /** Enqueues first work on a stream, and does not wait for its end. Allocates nothing. */
    synchronized void give(long stream) {
        long before = context.enter(); // here: waiting for the lock may move a virtual thread
        int result = write(stream);
        context.leave(before);
        if (result != DriverErrors.SUCCESS) {
            throw context.failure(result, "the first work of a stream");
        }
    }

    /**
     * Enqueues an equally small write on a stream that has had its first work, and returns the driver's result. The
     * context must be current. Allocates nothing.
     */
    int write(long stream) {
        return context.driver().streams().writeValue(stream, word, 0);
    }

    /** Frees the memory, once no stream has first work to do. The context must be current. */
    void free() {
        PinnedMemory.free(context, word);
    }
}
