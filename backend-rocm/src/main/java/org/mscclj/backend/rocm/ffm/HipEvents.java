package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.mscclj.gpu.driver.EventCalls;
import org.mscclj.posix.IntCall;

/**
 * Calls for events. They have no flags of AMD's own: with those, the writes of kernels before an event would not be
 * visible to the host and to other GPUs once it is reached.
 */
public final class HipEvents implements EventCalls {
    /** {@code hipEventDisableTiming}. */
    static final int WITHOUT_TIMING = 2;

    private static final int DEFAULT = 0;

    private static final IntCall CREATE = HipLibrary.call("hipEventCreateWithFlags", ADDRESS, JAVA_INT);
    private static final IntCall DESTROY = HipLibrary.call("hipEventDestroy", JAVA_LONG);
    private static final IntCall RECORD = HipLibrary.call("hipEventRecord", JAVA_LONG, JAVA_LONG);
    private static final IntCall QUERY = HipLibrary.call("hipEventQuery", JAVA_LONG);
    private static final IntCall ELAPSED = HipLibrary.call("hipEventElapsedTime", ADDRESS, JAVA_LONG, JAVA_LONG);

    /** The only instance: it has no state. */
    public static final EventCalls INSTANCE = new HipEvents();

    private HipEvents() {}

    /** {@code hipEventCreateWithFlags}. */
    @Override
    public int create(MemorySegment event) {
        return CREATE.call(event, WITHOUT_TIMING);
    }

    /** {@code hipEventCreateWithFlags}. */
    @Override
    public int createTimed(MemorySegment event) {
        return CREATE.call(event, DEFAULT);
    }

    /** {@code hipEventDestroy}. */
    @Override
    public int destroy(long event) {
        return DESTROY.call(event);
    }

    /** {@code hipEventRecord}. */
    @Override
    public int record(long event, long stream) {
        return RECORD.call(event, stream);
    }

    /** {@code hipEventQuery}. */
    @Override
    public int query(long event) {
        return HipErrors.forgotten(QUERY.call(event));
    }

    /** {@code hipEventElapsedTime}. */
    @Override
    public int elapsed(MemorySegment millis, long start, long end) {
        return ELAPSED.call(millis, start, end);
    }
}
