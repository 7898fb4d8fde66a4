package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Streams, and the order between them. Those that write nothing allocate nothing. */
public interface StreamCalls {
    /**
     * The mode of captures in which other threads may do what would break a stricter capture, and so may the capturing
     * one, as when a call is set up in it; and any thread may end it, since a virtual one may have moved.
     */
    int RELAXED = 2;

    /**
     * Makes a stream that is not ordered with the null stream.
     *
     * @param urgent whether it has the highest priority that there is
     * @param stream where to write it
     */
    int create(boolean urgent, MemorySegment stream);

    /** Destroys a stream, once its work has ended. */
    int destroy(long stream);

    /** Success if all work has ended. */
    int query(long stream);

    /** Lets later work of a stream wait for an event. */
    int waitEvent(long stream, long event);

    /** Writes 8 bytes after all earlier work of a stream, whose writes are then visible to readers of the value. */
    int writeValue(long stream, long address, long value);

    /** Writes the context of a stream. */
    int context(long stream, MemorySegment context);

    /** Begins to capture a stream, in mode {@link #RELAXED}. */
    int beginCapture(long stream);

    /** Ends a capture, and writes the graph that it has made. */
    int endCapture(long stream, MemorySegment graph);

    /** Whether work of a stream is recorded and not carried out. Allocates nothing but once a thread. */
    boolean isCapturing(long stream);

    /**
     * Lets this thread ask the driver while another one captures, in whatever mode that does.
     *
     * @param mode {@link #RELAXED} to begin with; gets what the thread had, to be passed again
     */
    int exchangeCaptureMode(MemorySegment mode);
}
