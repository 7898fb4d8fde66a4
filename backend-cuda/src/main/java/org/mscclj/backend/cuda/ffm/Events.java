package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.gpu.driver.EventCalls;
import org.mscclj.posix.ForeignCalls;

/** Calls for events. They return the driver's result, and allocate nothing. */
public final class Events implements EventCalls {
    /** {@code CU_EVENT_DISABLE_TIMING}: events without timing are the cheapest. */
    private static final int DISABLE_TIMING = 2;

    private static final MethodHandle CREATE =
            DriverLibrary.bind("cuEventCreate", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle DESTROY =
            DriverLibrary.bind("cuEventDestroy_v2", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle RECORD =
            DriverLibrary.bind("cuEventRecord", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle QUERY =
            DriverLibrary.bind("cuEventQuery", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

    /** The only instance: it has no state. */
    public static final EventCalls INSTANCE = new Events();

    private Events() {}

    /** {@code cuEventCreate}, without timing. */
    @Override
    public int create(MemorySegment event) {
        try {
            return (int) CREATE.invokeExact(event, DISABLE_TIMING);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuEventDestroy}. */
    @Override
    public int destroy(long event) {
        try {
            return (int) DESTROY.invokeExact(event);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuEventRecord}. */
    @Override
    public int record(long event, long stream) {
        try {
            return (int) RECORD.invokeExact(event, stream);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuEventQuery}: success if the latest recording is reached, or if there is none. */
    @Override
    public int query(long event) {
        try {
            return (int) QUERY.invokeExact(event);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
