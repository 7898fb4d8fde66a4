package org.mscclj.gpu.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntBiFunction;
import org.mscclj.api.device.Event;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.RelaxedThread;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.EventCalls;
import org.mscclj.gpu.driver.GpuDriver;

/** An event of the driver, without timing unless a timer of streams uses it. */
public final class GpuEvent implements Event {
    private final DeviceContext context;
    private final long handle;
    private final AtomicBoolean closed = new AtomicBoolean();

    private GpuEvent(DeviceContext context, long handle) {
        this.context = context;
        this.handle = handle;
    }

    /** Creates an event that was never recorded. */
    public static GpuEvent create(DeviceContext context) {
        return create(context, EventCalls::create);
    }

    /** Creates an event that notes the time at which it is reached. */
    static GpuEvent createTimed(DeviceContext context) {
        return create(context, EventCalls::createTimed);
    }

    private static GpuEvent create(DeviceContext context, ToIntBiFunction<EventCalls, MemorySegment> creation) {
        return context.within(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment event = arena.allocate(ValueLayout.JAVA_LONG);
                context.driver().check(creation.applyAsInt(context.driver().events(), event), "creating an event");
                return new GpuEvent(context.share(), event.get(ValueLayout.JAVA_LONG, 0));
            }
        });
    }

    /**
     * Casts an event to one of the backend that uses a driver.
     *
     * @throws InvalidArgumentException if the event belongs to another backend, or is closed
     */
    static GpuEvent of(Event event, GpuDriver driver) {
        if (!(event instanceof GpuEvent own)) {
            throw InvalidArgumentException.of(
                    "event", event.getClass().getName(), "an event created by a device of backend " + driver.backend());
        }
        GpuDriver maker = own.context.driver();
        if (!maker.backend().equals(driver.backend())) {
            throw InvalidArgumentException.of(
                    "event",
                    "an event of backend " + maker.backend(),
                    "an event created by a device of backend " + driver.backend());
        }
        if (own.closed.get()) {
            throw new InvalidArgumentException("the event is closed; create another one");
        }
        return own;
    }

    /** The driver's {@code CUevent}. */
    public long handle() {
        return handle;
    }

    /** Records the event in a stream of the same GPU. Allocates nothing. */
    public void record(long stream) {
        long before = context.enter();
        int result = context.driver().events().record(handle, stream);
        context.leave(before);
        if (result != DriverErrors.SUCCESS) {
            throw context.failure(result, "recording an event");
        }
    }

    /** Does not break captures of other threads. Allocates nothing. */
    @Override
    public boolean isReached() {
        long before = context.enter();
        int result;
        try (RelaxedThread _ = context.relax()) {
            result = context.driver().events().query(of(this, context.driver()).handle);
        } finally {
            context.leave(before);
        }
        if (!context.driver().errors().isNotReady(result) && result != DriverErrors.SUCCESS) {
            throw context.failure(result, "querying an event");
        }
        return result == DriverErrors.SUCCESS;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try (context) {
                context.run(() ->
                        context.driver().checkFreed(context.driver().events().destroy(handle), "closing an event"));
            }
        }
    }
}
