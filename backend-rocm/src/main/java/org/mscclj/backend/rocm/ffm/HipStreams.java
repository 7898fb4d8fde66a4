package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.StreamCalls;
import org.mscclj.posix.IntCall;

/** Calls for streams. */
public final class HipStreams implements StreamCalls {
    /** {@code hipStreamNonBlocking}. */
    static final int NON_BLOCKING = 1;

    /** {@code hipStreamCaptureStatusNone}. */
    static final int CAPTURE_NONE = 0;

    private static final IntCall PRIORITIES = HipLibrary.call("hipDeviceGetStreamPriorityRange", ADDRESS, ADDRESS);
    private static final IntCall CREATE = HipLibrary.call("hipStreamCreateWithPriority", ADDRESS, JAVA_INT, JAVA_INT);
    private static final IntCall DESTROY = HipLibrary.call("hipStreamDestroy", JAVA_LONG);
    private static final IntCall QUERY = HipLibrary.call("hipStreamQuery", JAVA_LONG);
    private static final IntCall WAIT_EVENT = HipLibrary.call("hipStreamWaitEvent", JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final IntCall WRITE_VALUE =
            HipLibrary.call("hipStreamWriteValue64", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final IntCall BEGIN_CAPTURE = HipLibrary.call("hipStreamBeginCapture", JAVA_LONG, JAVA_INT);
    private static final IntCall END_CAPTURE = HipLibrary.call("hipStreamEndCapture", JAVA_LONG, ADDRESS);
    private static final IntCall IS_CAPTURING = HipLibrary.call("hipStreamIsCapturing", JAVA_LONG, ADDRESS);
    private static final IntCall EXCHANGE_MODE = HipLibrary.call("hipThreadExchangeStreamCaptureMode", ADDRESS);

    private static final IntCall DEVICE = HipLibrary.call("hipStreamGetDevice", JAVA_LONG, ADDRESS);

    /**
     * The memory in which HIP writes whether a stream is captured, one for each thread, so that queries allocate
     * nothing.
     */
    private static final ThreadLocal<MemorySegment> CAPTURING =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(JAVA_INT));

    /** The only instance: it has no state. */
    public static final StreamCalls INSTANCE = new HipStreams();

    private HipStreams() {}

    /** {@code hipDeviceGetStreamPriorityRange}. */
    @Override
    public int priorities(MemorySegment least, MemorySegment greatest) {
        return PRIORITIES.call(least, greatest);
    }

    /** {@code hipStreamCreateWithPriority}. */
    @Override
    public int create(int priority, MemorySegment stream) {
        return CREATE.call(stream, NON_BLOCKING, priority);
    }

    /** {@code hipStreamDestroy}. */
    @Override
    public int destroy(long stream) {
        return DESTROY.call(stream);
    }

    /** {@code hipStreamQuery}. */
    @Override
    public int query(long stream) {
        return HipErrors.forgotten(QUERY.call(stream));
    }

    /** {@code hipStreamWaitEvent}. */
    @Override
    public int waitEvent(long stream, long event) {
        return WAIT_EVENT.call(stream, event, 0);
    }

    /** {@code hipStreamWriteValue64}. */
    @Override
    public int writeValue(long stream, long address, long value) {
        return WRITE_VALUE.call(stream, address, value, 0);
    }

    /** {@code hipStreamGetDevice}. */
    @Override
    public int context(long stream, MemorySegment context) {
        int result = DEVICE.call(stream, context);
        if (result == DriverErrors.SUCCESS) {
            context.set(JAVA_LONG, 0, HipContexts.of(context.get(JAVA_INT, 0)));
        }
        return result;
    }

    /** {@code hipStreamBeginCapture}. */
    @Override
    public int beginCapture(long stream) {
        return BEGIN_CAPTURE.call(stream, RELAXED);
    }

    /** {@code hipStreamEndCapture}. */
    @Override
    public int endCapture(long stream, MemorySegment graph) {
        return END_CAPTURE.call(stream, graph);
    }

    /** {@code hipStreamIsCapturing}. */
    @Override
    public boolean isCapturing(long stream) {
        MemorySegment status = CAPTURING.get();
        return HipErrors.forgotten(IS_CAPTURING.call(stream, status)) == DriverErrors.SUCCESS
                && status.get(JAVA_INT, 0) != CAPTURE_NONE;
    }

    /** {@code hipThreadExchangeStreamCaptureMode}. */
    @Override
    public int exchangeCaptureMode(MemorySegment mode) {
        return EXCHANGE_MODE.call(mode);
    }
}
