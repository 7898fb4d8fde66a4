package org.mscclj.gpu.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Streams, and the order between them. Methods that write no result allocate nothing. */
public interface StreamCalls {
    /**
     * The relaxed capture mode. Other threads, and the capturing thread, may make calls that would break a stricter
     * capture, for example to set up a call during the capture. Any thread may end the capture, because a virtual
     * thread may have moved to another carrier.
     */
    int RELAXED = 2;

    /**
     * Creates a stream that is not ordered with the null stream.
     *
     * @param urgent whether it has the highest priority
     * @param stream where to write it
     */
    default int create(boolean urgent, MemorySegment stream) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment least = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment greatest = arena.allocate(ValueLayout.JAVA_INT);
            int result = priorities(least, greatest);
            int priority = urgent ? greatest.get(ValueLayout.JAVA_INT, 0) : 0;
            return result == DriverErrors.SUCCESS ? create(priority, stream) : result;
        }
    }

    /** Writes the least and the greatest priority of streams, two ints. */
    int priorities(MemorySegment least, MemorySegment greatest);

    /** Creates a stream with a priority that is not ordered with the null stream, and writes it. */
    int create(int priority, MemorySegment stream);

    /** Destroys a stream once its work has ended. */
    int destroy(long stream);

    /** Success if all work of a stream has ended. */
    int query(long stream);

    /** Makes later work of a stream wait for an event. */
    int waitEvent(long stream, long event);

    /**
     * Writes 8 bytes after all earlier work of a stream. A reader that sees the value also sees the writes of that
     * work.
     */
    int writeValue(long stream, long address, long value);

    /** Writes the context of a stream. */
    int context(long stream, MemorySegment context);

    /** Begins to capture a stream in mode {@link #RELAXED}. */
    int beginCapture(long stream);

    /** Ends a capture, and writes the graph that it has made. */
    int endCapture(long stream, MemorySegment graph);

    /** Whether work of a stream is captured instead of executed. Allocates nothing, except once per thread. */
    boolean isCapturing(long stream);

    /**
     * Exchanges the capture mode of this thread. In the relaxed mode it may query the driver while another thread
     * captures, in any mode.
     *
     * @param mode {@link #RELAXED} at first; receives the thread's previous mode, which the caller passes to restore it
     */
    int exchangeCaptureMode(MemorySegment mode);
}
