package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.gpu.driver.StreamCalls;
import org.mscclj.posix.ForeignCalls;
import org.mscclj.posix.IntCall;

/**
 * Calls for streams, and for the order between them. They return the driver's result unless their javadoc specifies
 * otherwise. Calls without an out parameter allocate nothing.
 */
public final class Streams implements StreamCalls {
    /** {@code CU_STREAM_NON_BLOCKING}: not ordered with the null stream, which other software may use. */
    private static final int NON_BLOCKING = 1;

    private static final int CAPTURE_NONE = 0;

    private static final IntCall PRIORITIES = DriverLibrary.call("cuCtxGetStreamPriorityRange", ADDRESS, ADDRESS);
    private static final IntCall CREATE = DriverLibrary.call("cuStreamCreateWithPriority", ADDRESS, JAVA_INT, JAVA_INT);
    private static final IntCall DESTROY = DriverLibrary.call("cuStreamDestroy_v2", JAVA_LONG);
    private static final IntCall QUERY = DriverLibrary.call("cuStreamQuery", JAVA_LONG);
    private static final MethodHandle WAIT_EVENT =
            DriverLibrary.bind("cuStreamWaitEvent", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle WRITE_VALUE = DriverLibrary.bind(
            "cuStreamWriteValue64_v2", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final IntCall CONTEXT = DriverLibrary.call("cuStreamGetCtx", JAVA_LONG, ADDRESS);
    private static final IntCall BEGIN_CAPTURE = DriverLibrary.call("cuStreamBeginCapture_v2", JAVA_LONG, JAVA_INT);
    private static final IntCall END_CAPTURE = DriverLibrary.call("cuStreamEndCapture", JAVA_LONG, ADDRESS);
    private static final MethodHandle IS_CAPTURING =
            DriverLibrary.bind("cuStreamIsCapturing", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));

    private static final IntCall EXCHANGE_CAPTURE_MODE =
            DriverLibrary.call("cuThreadExchangeStreamCaptureMode", ADDRESS);

    /**
     * The memory in which the driver writes whether a stream is captured, one for each thread, so that queries allocate
     * nothing.
     */
    private static final ThreadLocal<MemorySegment> CAPTURING =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(JAVA_INT));

    /** The only instance: it has no state. */
    public static final StreamCalls INSTANCE = new Streams();

    private Streams() {}

    /** {@code cuCtxGetStreamPriorityRange}. */
    @Override
    public int priorities(MemorySegment least, MemorySegment greatest) {
        return PRIORITIES.call(least, greatest);
    }

    /** {@code cuStreamCreateWithPriority}. */
    @Override
    public int create(int priority, MemorySegment stream) {
        return CREATE.call(stream, NON_BLOCKING, priority);
    }

    /** {@code cuStreamDestroy}. */
    @Override
    public int destroy(long stream) {
        return DESTROY.call(stream);
    }

    /** {@code cuStreamQuery}: success if all work has ended. */
    @Override
    public int query(long stream) {
        return QUERY.call(stream);
    }

    /** {@code cuStreamWaitEvent}. */
    @Override
    public int waitEvent(long stream, long event) {
        try {
            return (int) WAIT_EVENT.invokeExact(stream, event, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * {@code cuStreamWriteValue64}: writes after all earlier work of the stream. A reader that sees the value also sees
     * the writes of that work.
     */
    @Override
    public int writeValue(long stream, long address, long value) {
        try {
            return (int) WRITE_VALUE.invokeExact(stream, address, value, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code cuStreamGetCtx}. */
    @Override
    public int context(long stream, MemorySegment context) {
        return CONTEXT.call(stream, context);
    }

    /** {@code cuStreamBeginCapture}. */
    @Override
    public int beginCapture(long stream) {
        return BEGIN_CAPTURE.call(stream, RELAXED);
    }

    /**
     * {@code cuThreadExchangeStreamCaptureMode}. In the relaxed mode this thread may query the driver while another
     * thread captures, in any mode.
     *
     * @param mode {@link #RELAXED} at first; receives the thread's previous mode, which the caller passes to restore it
     */
    @Override
    public int exchangeCaptureMode(MemorySegment mode) {
        return EXCHANGE_CAPTURE_MODE.call(mode);
    }

    /** {@code cuStreamEndCapture}. */
    @Override
    public int endCapture(long stream, MemorySegment graph) {
        return END_CAPTURE.call(stream, graph);
    }

    /**
     * {@code cuStreamIsCapturing}: whether work is captured instead of executed. Allocates nothing, except once per
     * thread.
     */
    @Override
    public boolean isCapturing(long stream) {
        MemorySegment status = CAPTURING.get();
        try {
            return (int) IS_CAPTURING.invokeExact(stream, status) == 0 && status.get(JAVA_INT, 0) != CAPTURE_NONE;
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
