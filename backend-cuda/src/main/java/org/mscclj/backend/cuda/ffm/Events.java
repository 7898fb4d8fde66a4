package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.gpu.driver.EventCalls;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.IntCall;

/** Calls for events. They return the driver's result, and allocate nothing. */
public final class Events implements EventCalls {
    /** {@code CU_EVENT_DISABLE_TIMING}: events without timing are the cheapest. */
    private static final int DISABLE_TIMING = 2;

    private static final int DEFAULT = 0;

    private static final MethodHandle CREATE =
            DriverLibrary.bind("cuEventCreate", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle ELAPSED =
            DriverLibrary.bind("cuEventElapsedTime", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final IntCall DESTROY = DriverLibrary.call("cuEventDestroy_v2", JAVA_LONG);
    private static final IntCall RECORD = DriverLibrary.call("cuEventRecord", JAVA_LONG, JAVA_LONG);
    private static final IntCall QUERY = DriverLibrary.call("cuEventQuery", JAVA_LONG);

    /** The only instance: it has no state. */
    public static final EventCalls INSTANCE = new Events();

    private Events() {}

    /** {@code cuEventCreate}, without timing. */
    @Override
    public int create(MemorySegment event) {
        return create(event, DISABLE_TIMING);
    }

    /** {@code cuEventCreate}, with timing. */
    @Override
    public int createTimed(MemorySegment event) {
        return create(event, DEFAULT);
    }

    private static int create(MemorySegment event, int flags) {
        try {
            return (int) CREATE.invokeExact(event, flags);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuEventDestroy}. */
    @Override
    public int destroy(long event) {
        return DESTROY.call(event);
    }

    /** {@code cuEventRecord}. */
    @Override
    public int record(long event, long stream) {
        return RECORD.call(event, stream);
    }

    /** {@code cuEventQuery}: success if the latest recording is reached, or if there is none. */
    @Override
    public int query(long event) {
        return QUERY.call(event);
    }

    /** {@code cuEventElapsedTime}. */
    @Override
    public int elapsed(MemorySegment millis, long start, long end) {
        try {
            return (int) ELAPSED.invokeExact(millis, start, end);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
