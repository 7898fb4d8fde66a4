package org.mscclj.gpu.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.Stream;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.spi.device.StreamTimer;

/** A timer of two events of the driver, which the GPU stamps. */
public final class GpuStreamTimer implements StreamTimer {
    private static final double NANOS_PER_MILLI = 1e6;

    private final DeviceContext context;
    private final GpuEvent begun;
    private final GpuEvent ended;

    private GpuStreamTimer(DeviceContext context, GpuEvent begun, GpuEvent ended) {
        this.context = context;
        this.begun = begun;
        this.ended = ended;
    }

    /** Creates a timer of streams of a GPU. */
    public static GpuStreamTimer create(DeviceContext context) {
        GpuEvent begun = GpuEvent.createTimed(context);
        try {
            return new GpuStreamTimer(context, begun, GpuEvent.createTimed(context));
        } catch (RuntimeException | Error e) {
            try (begun) {
                throw e;
            }
        }
    }

    @Override
    public void start(Stream stream) {
        GpuStream.of(stream, context).record(begun);
    }

    @Override
    public void stop(Stream stream) {
        GpuStream.of(stream, context).record(ended);
    }

    @Override
    public long nanos() {
        return context.within(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment millis = arena.allocate(ValueLayout.JAVA_FLOAT);
                context.driver()
                        .check(
                                context.driver().events().elapsed(millis, begun.handle(), ended.handle()),
                                "reading the time between two events");
                return Math.round(millis.get(ValueLayout.JAVA_FLOAT, 0) * NANOS_PER_MILLI);
            }
        });
    }

    @Override
    public void close() {
        try (begun;
                ended) {
            // both, even if one fails
        }
    }
}
