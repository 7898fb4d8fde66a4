package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Events. The methods allocate nothing. */
public interface EventCalls {
    /** Creates an event without timing. */
    int create(MemorySegment event);

    /** Creates an event that notes the time at which it is reached. */
    int createTimed(MemorySegment event);

    /** Destroys an event. */
    int destroy(long event);

    /** Records an event in a stream. */
    int record(long event, long stream);

    /** Success if the latest recording is reached, or if there is none. */
    int query(long event);

    /** Writes the milliseconds between two events with timing, which must be reached, as a float. */
    int elapsed(MemorySegment millis, long start, long end);
}
