package org.mscclj.gpu.stream;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;

/**
 * A stream's copies as a user of their buffers. Closing such a buffer throws until the stream's latest copy has ended,
 * which an event shows. So a buffer of an earlier copy may count as used a little longer than it is. Safe for use by
 * several threads.
 */
final class CopyUse implements BufferUser, AutoCloseable {
    private final BackendDevice device;
    private final DeviceContext context;
    private final long stream;
    private final GpuEvent latest;
    private final AtomicInteger beginning = new AtomicInteger();

    /** The buffers that hold a reference to this, as long as other references to them exist. */
    private final Map<DeviceBuffer, Boolean> buffers = new WeakHashMap<>();

    /**
     * Creates the user for the copies of a stream.
     *
     * @param stream the driver's {@code CUstream}
     */
    CopyUse(BackendDevice device, DeviceContext context, long stream) {
        this.device = device;
        this.context = context;
        this.stream = stream;
        this.latest = GpuEvent.create(context);
    }

    /**
     * Begins the enqueuing of a copy. The caller must call {@link #end} afterwards, also if this throws.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if a buffer is closed, or of another backend
     */
    void begin(DeviceBuffer source, DeviceBuffer destination) {
        beginning.incrementAndGet();
        device.addUser(source, this);
        device.addUser(destination, this);
        synchronized (buffers) {
            buffers.put(source, true);
            buffers.put(destination, true);
        }
    }

    /** Records that the copy was enqueued. */
    void enqueued() {
        latest.record(stream);
    }

    /** Ends the enqueuing of a copy, whether it succeeded or failed. */
    void end() {
        beginning.decrementAndGet();
    }

    /** Whether every copy has ended. */
    boolean areOver() {
        return !isUsing();
    }

    @Override
    public boolean isUsing() {
        if (beginning.get() > 0) {
            return true;
        }
        try {
            return !latest.isReached();
        } catch (InvalidArgumentException _) {
            return false; // the stream is closed
        } catch (BackendException e) {
            if (context.driver().errors().isOfCapturedEvent(e.code())
                    && !context.driver().streams().isCapturing(stream)) {
                latest.record(stream); // another thread's capture took the event, and has ended it
            }
            // Otherwise the work has failed, and so it has ended; a caller that waits for it gets the error.
            return context.driver().errors().isAboutCaptures(e.code());
        }
    }

    @Override
    public boolean removesItself() {
        return false;
    }

    @Override
    public void bufferClosed() {
        // this keeps nothing that the buffer would have to outlive
    }

    /** Frees the event. All copies must have ended. */
    @Override
    public void close() {
        synchronized (buffers) {
            buffers.keySet().forEach(buffer -> device.removeUser(buffer, this));
            buffers.clear();
        }
        latest.close();
    }
}
