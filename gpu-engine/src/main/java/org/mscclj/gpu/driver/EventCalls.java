package org.mscclj.gpu.driver;

import java.lang.foreign.MemorySegment;

/** Events. The methods allocate nothing. */
public interface EventCalls {
    /** Creates an event without timing. */
    int create(MemorySegment event);

    /** Destroys an event. */
    int destroy(long event);

    /** Records an event in a stream. */
    int record(long event, long stream);

    /** Success if the latest recording is reached, or if there is none. */
    int query(long event);
}
