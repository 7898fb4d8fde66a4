package org.mscclj.gpu.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.RelaxedThread;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.Lateness;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.waiting.Backoff;

/** A stream of the driver, created by this library or by other software. */
public final class GpuStream implements Stream {
    /** {@code CU_STREAM_LEGACY}: the null stream, by another name. */
    private static final long LEGACY = 1;

    /** {@code CU_STREAM_PER_THREAD}. */
    private static final long PER_THREAD = 2;

    private static final WeakReference<LaunchOrder> NO_ORDER = new WeakReference<>(null);

    private final BackendDevice device;
    private final DeviceContext context;
    private final long handle;
    private final boolean owned;
    private final CopyUse copies;
    private final StreamListeners listeners = new StreamListeners();
    private final AtomicBoolean closed = new AtomicBoolean();

    private volatile WeakReference<LaunchOrder> last = NO_ORDER;

    /** Whether the stream has had its first work, which streams receive one after the other. */
    private volatile boolean worked;

    private GpuStream(BackendDevice device, DeviceContext context, long handle, boolean owned) {
        this.device = device;
        this.copies = new CopyUse(device, context, handle);
        this.context = context.share();
        this.handle = handle;
        this.owned = owned;
        this.worked = owned;
    }

    /**
     * Creates a stream that is not ordered with the null stream.
     *
     * @param urgent whether its copies and kernels have priority over other streams' work that waits for the GPU
     */
    public static GpuStream create(BackendDevice device, DeviceContext context, boolean urgent) {
        return context.within(() -> {
            long handle = context.createStream(urgent);
            try {
                return new GpuStream(device, context, handle, true);
            } catch (RuntimeException | Error e) {
                int _ = context.driver().streams().destroy(handle);
                throw e;
            }
        });
    }

    /**
     * Adopts a stream of other software, which keeps its ownership.
     *
     * @throws InvalidArgumentException if the stream is of another GPU, or is a different stream in each thread
     */
    public static GpuStream adopt(BackendDevice device, DeviceContext context, long handle) {
        if (handle == PER_THREAD) {
            throw InvalidArgumentException.of(
                    "stream",
                    "the stream per thread (2), which is another stream in each thread",
                    "a stream of " + context.driver().terms().streams() + ", or the null stream (0): threads of mscclj"
                            + " use it too");
        }
        context.run(() -> requireContext(context, handle));
        return new GpuStream(device, context, handle == LEGACY ? 0 : handle, false);
    }

    private static void requireContext(DeviceContext context, long handle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment owner = arena.allocate(ValueLayout.JAVA_LONG);
            context.driver()
                    .check(
                            context.driver().streams().context(handle, owner),
                            "reading the context of stream 0x" + Long.toHexString(handle));
            if (!context.is(owner.get(ValueLayout.JAVA_LONG, 0))) {
                throw InvalidArgumentException.of(
                        "stream 0x" + Long.toHexString(handle),
                        "a stream of another context",
                        "a stream of the primary context of GPU " + context.ordinal());
            }
        }
    }

    /**
     * Casts a stream to one of this backend.
     *
     * @throws InvalidArgumentException if the stream belongs to another backend, or is closed
     */
    public static GpuStream of(Stream stream) {
        Objects.requireNonNull(stream, "stream");
        if (!(stream instanceof GpuStream own)) {
            throw InvalidArgumentException.of(
                    "stream", stream.getClass().getName(), "a stream created by a device of a GPU backend");
        }
        if (own.closed.get()) {
            throw new InvalidArgumentException("this stream is closed; create another one");
        }
        return own;
    }

    /**
     * Whether another stream is this one for the driver: an adopted stream may be adopted several times. The null
     * streams of two GPUs have one handle. Allocates nothing.
     */
    public boolean isSameAs(GpuStream other) {
        return handle == other.handle && context.gpu().equals(other.context.gpu());
    }

    /**
     * Casts a stream to one of a GPU. Allocates nothing.
     *
     * @param context the GPU's
     * @throws InvalidArgumentException if the stream belongs to another GPU or backend, or is closed
     */
    public static GpuStream of(Stream stream, DeviceContext context) {
        GpuStream own = of(stream);
        if (!own.context.gpu().equals(context.gpu())) {
            throw InvalidArgumentException.of(
                    "stream",
                    "a stream of GPU " + own.context.ordinal(),
                    "a stream of GPU " + context.ordinal()
                            + ", where this was prepared or captured: Device.createStream of that device makes one");
        }
        return own;
    }

    @Override
    public Device device() {
        return device;
    }

    /** Whether this library created the stream, so that closing it waits for its work. */
    public boolean isOwned() {
        return owned;
    }

    /** Whether it is closed. */
    public boolean isClosed() {
        return closed.get();
    }

    /** The driver's {@code CUstream}; an adopted stream may have 0, the null stream. */
    public long handle() {
        return handle;
    }

    @Override
    public long nativeHandle() {
        return handle;
    }

    /** Allocates nothing. */
    @Override
    public boolean isCapturing() {
        return !closed.get()
                && context.driver().streams().isCapturing(handle); // the driver must not be called with a closed stream
    }

    /**
     * Called before work is enqueued: if other software has not used its stream yet, this work would be the first. Does
     * nothing while the stream is captured. Allocates nothing.
     */
    public void ensureFirstWork() {
        if (!worked && !isCapturing()) {
            context.giveFirstWork(handle);
            worked = true;
        }
    }

    /** The capture of this stream, which must be in a capture. */
    public CaptureInfo capture() {
        return Capture.info(context, handle);
    }

    /**
     * Registers an action that runs before this stream is closed, while it is still usable. Registering it again does
     * nothing and allocates nothing.
     */
    public void beforeClosing(Runnable action) {
        listeners.beforeClosing(action);
    }

    /**
     * Registers an action that runs before each capture of this stream that {@link #capture(Runnable)} begins, until
     * the stream is closed. Registering it again does nothing.
     */
    public void beforeCapturing(Runnable action) {
        listeners.beforeCapturing(action);
    }

    /** Undoes {@link #beforeClosing} and {@link #beforeCapturing}. */
    public void forget(Runnable action) {
        listeners.remove(action);
    }

    @Override
    public void copy(DeviceBuffer source, DeviceBuffer destination) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
        if (source.byteSize() != destination.byteSize()) {
            throw InvalidArgumentException.of(
                    "destination of a copy",
                    destination.byteSize() + " bytes",
                    source.byteSize() + " bytes, like the source");
        }
        long before = enter();
        try {
            copies.begin(source, destination);
            boolean capturing = isCapturing();
            if (capturing) {
                CapturedCopy.keep(device, capture(), source, destination);
            }
            if (source.byteSize() > 0) {
                ensureFirstWork();
                int result = context.driver()
                        .copies()
                        .withinDevices(destination.address(), source.address(), source.byteSize(), handle);
                if (result != DriverErrors.SUCCESS) {
                    throw context.failure(result, "the copy of " + source.byteSize() + " bytes");
                }
            }
            if (!capturing) {
                copies.enqueued();
            }
        } finally {
            copies.end();
            context.leave(before);
        }
    }

    @Override
    public void record(Event event) {
        Objects.requireNonNull(event, "event");
        of(this);
        GpuEvent.of(event, context.driver()).record(handle);
    }

    /**
     * Records an event after the enqueued work. The stream may already be closed to users. Not during a capture:
     * another thread may begin a capture at any time and then owns the event, which has no meaning for this stream.
     * Allocates nothing.
     *
     * @return whether the event marks the progress of this stream
     */
    public boolean recordUnlessCapturing(Event event) {
        if (isCapturing()) {
            return false;
        }
        GpuEvent.of(event, context.driver()).record(handle);
        return !isCapturing();
    }

    @Override
    public void await(Event event) {
        Objects.requireNonNull(event, "event");
        long marked = GpuEvent.of(event, context.driver()).handle();
        long before = enter();
        int result = context.driver().streams().waitEvent(handle, marked);
        context.leave(before);
        if (result != DriverErrors.SUCCESS) {
            throw context.failure(result, "the wait of a stream for an event");
        }
    }

    @Override
    public Graph capture(Runnable work) {
        Objects.requireNonNull(work, "work");
        of(this);
        if (!isCapturing()) {
            listeners.captures();
        }
        return Capture.of(context, handle, work);
    }

    /** Whether everything enqueued so far has ended. Never blocks, and does not break captures of other streams. */
    public boolean isIdle() {
        long before = enter();
        int result;
        try (RelaxedThread _ = context.relax()) {
            result = context.driver().streams().query(handle);
        } finally {
            context.leave(before);
        }
        if (!context.driver().errors().isNotReady(result) && result != DriverErrors.SUCCESS) {
            throw context.failure(result, "work of a stream");
        }
        return result == DriverErrors.SUCCESS;
    }

    @Override
    public void synchronize(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        Backoff backoff = Backoff.forDevices();
        backoff.start(timeout);
        while (!isIdle()) {
            if (!backoff.pause()) {
                LaunchOrder order = last.get();
                throw Lateness.ofStream(
                        "work of a stream of GPU " + context.ordinal(),
                        timeout,
                        order == null ? List.of() : List.of(order));
            }
        }
    }

    /**
     * Records the communicator of the last launch here, for messages of waits that exceed their timeout. Allocates
     * nothing.
     *
     * @param order of the communicator; weak, as a stream may live longer
     */
    public void launched(WeakReference<LaunchOrder> order) {
        last = order;
    }

    private void destroy() {
        copies.close();
        if (owned) {
            context.run(
                    () -> context.driver().checkFreed(context.driver().streams().destroy(handle), "closing a stream"));
        }
    }

    private long enter() {
        of(this);
        return context.enter();
    }

    /**
     * Closes the stream after its work has ended. For an adopted stream, this waits only for copies.
     *
     * @throws InvalidArgumentException if this library created the stream and it is being captured; nothing has changed
     *     then
     */
    @Override
    public void close() {
        if (closed.get()) {
            return;
        }
        if (owned && isCapturing()) {
            throw new InvalidArgumentException(
                    "this stream is being captured; end the capture before the stream is closed");
        }
        boolean interrupted = StreamDrain.await(
                context.driver().errors(), owned ? () -> !isCapturing() && isIdle() : copies::areOver);
        try {
            listeners.closes();
        } finally {
            end();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() {
        if (closed.compareAndSet(false, true)) {
            try {
                destroy();
            } finally {
                context.close();
            }
        }
    }
}
