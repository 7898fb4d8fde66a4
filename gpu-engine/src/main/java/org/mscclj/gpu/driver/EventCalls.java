package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Events. All allocate nothing. */
public interface EventCalls {
    /** Makes an event without timing. */
    int create(MemorySegment event);

    /** Destroys an event. */
    int destroy(long event);

    /** Marks a point of a stream. */
    int record(long event, long stream);

    /** Success if the latest recording is reached, or if there is none. */
    int query(long event);
}
