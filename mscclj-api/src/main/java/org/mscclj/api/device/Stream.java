package org.mscclj.api.device;

import java.time.Duration;
import java.util.Objects;
import org.mscclj.api.error.UnsupportedException;

/**
 * A queue of work that a device carries out in order. Work on different streams may run at the same time;
 * {@link Event}s order them. Safe for use by several threads; work that one thread enqueues keeps its order.
 *
 * <p>A call that does not block does not wait for the work. It waits only for queue capacity: on the CPU if a stream
 * holds 1,024 pieces of work, on GPUs if a communicator has 512 launches in flight, or if the queue of the driver is
 * full. Capacity becomes free as earlier work ends, or is aborted.
 */
public interface Stream extends AutoCloseable {
    /** The device that carries out the work. */
    Device device();

    /**
     * Enqueues a copy between buffers of equal size, which starts once all work enqueued before has ended. Does not
     * block.
     */
    void copy(DeviceBuffer source, DeviceBuffer destination);

    /** Records an event at this point of the stream: the event is reached once all work enqueued before has ended. */
    void record(Event event);

    /** Orders work enqueued from now on after the event's latest recording at this moment. */
    void await(Event event);

    /**
     * Captures the work that is enqueued on this stream while {@code work} runs, instead of carrying it out. Other
     * streams whose work waits for an event of this stream join the capture, and must be joined back by an event before
     * {@code work} returns. One thread makes this call and enqueues all captured work; other threads are not affected.
     *
     * @return the captured graph, to be launched any number of times
     * @throws org.mscclj.api.error.UnsupportedException if the backend cannot capture
     * @throws org.mscclj.api.error.InvalidArgumentException if the stream is captured already, or the CPU backend finds
     *     that the work cannot be captured: it blocks on the stream, for example, or a stream that has joined is not
     *     joined back
     * @throws org.mscclj.api.error.BackendException if a driver finds that. Exceptions of {@code work} itself are
     *     passed on. In all these cases nothing was captured, and nothing carried out
     */
    default Graph capture(Runnable work) {
        Objects.requireNonNull(work, "work");
        throw new UnsupportedException("streams of backend " + device().backend() + " cannot be captured");
    }

    /** Whether the stream is being captured, so that work enqueued now is not carried out. */
    default boolean isCapturing() {
        return false;
    }

    /**
     * The driver's handle of this stream, for example a {@code CUstream} of CUDA.
     *
     * @throws org.mscclj.api.error.UnsupportedException if it has no such handle
     */
    default long nativeHandle() {
        throw new UnsupportedException("streams of backend " + device().backend() + " have no native handle");
    }

    /**
     * Blocks until all work enqueued so far has ended.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if that takes longer
     */
    void synchronize(Duration timeout);

    /**
     * Waits for the enqueued work and frees the stream. Idempotent.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if it {@linkplain #isCapturing is being captured}; the
     *     stream does not change then
     */
    @Override
    void close();
}
