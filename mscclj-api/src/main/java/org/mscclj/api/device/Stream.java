package org.mscclj.api.device;

import java.time.Duration;
import java.util.Objects;
import org.mscclj.api.error.UnsupportedException;

/**
 * A queue of work that a device carries out in order. Work on different streams may run at the same time;
 * {@link Event}s order them. Safe for use by several threads; what one thread enqueues stays in its order.
 *
 * <p>Where it says that a call does not block, it does not wait for the work. If very much is enqueued, it waits for
 * room: on the CPU where a stream has 1,024 pieces of work, on GPUs where a communicator has 512 launches in flight, or
 * a driver has no room for more. There is room again as earlier work ends, or is aborted.
 */
public interface Stream extends AutoCloseable {
    /** The device whose work this is. */
    Device device();

    /** Copies between buffers of equal size once everything enqueued before has ended. Does not block. */
    void copy(DeviceBuffer source, DeviceBuffer destination);

    /** Marks this point of the stream: the event is reached once everything enqueued before has ended. */
    void record(Event event);

    /** Work enqueued from now on starts only after the event's latest recording at this moment is reached. */
    void await(Event event);

    /**
     * Records what is enqueued on this stream while {@code work} runs, instead of carrying it out. Other streams whose
     * work waits for an event of this stream join the recording, and must be joined back by an event before
     * {@code work} returns. Called, like everything that {@code work} enqueues, by one thread; other threads are not
     * affected.
     *
     * @return what was recorded, to be launched any number of times
     * @throws org.mscclj.api.error.UnsupportedException if the backend cannot capture
     * @throws org.mscclj.api.error.InvalidArgumentException if the stream is captured already, or the CPU backend finds
     *     that the work cannot be captured: it blocks on the stream, for example, or a stream that has joined is not
     *     joined back
     * @throws org.mscclj.api.error.BackendException if a driver finds that. What {@code work} itself throws is passed
     *     on. In all these cases nothing was recorded, and nothing carried out
     */
    default Graph capture(Runnable work) {
        Objects.requireNonNull(work, "work");
        throw new UnsupportedException("streams of backend " + device().backend() + " cannot be captured");
    }

    /** Whether what is enqueued now is recorded and not carried out. */
    default boolean isCapturing() {
        return false;
    }

    /**
     * What the driver calls this stream: a {@code CUstream} of CUDA, for example.
     *
     * @throws org.mscclj.api.error.UnsupportedException if it has no such name
     */
    default long nativeHandle() {
        throw new UnsupportedException("streams of backend " + device().backend() + " have no native handle");
    }

    /**
     * Blocks until everything enqueued so far has ended.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if that takes longer
     */
    void synchronize(Duration timeout);

    /**
     * Waits for what was enqueued and frees the stream. Idempotent.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if it {@linkplain #isCapturing is being captured}; nothing
     *     has changed then
     */
    @Override
    void close();
}
