package org.mscclj.backend.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.UUID;
import org.mscclj.backend.cuda.ffm.Nvml;
import org.mscclj.gpu.driver.DeviceErrorEvents;

/** The Xid errors of a GPU, which the kernel driver reports for all processes that use it. Used by one thread. */
final class XidEvents implements DeviceErrorEvents {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment event = Nvml.event(arena);
    private final long events;

    private XidEvents(long events) {
        this.events = events;
    }

    /** Subscribes to the errors from now on; empty if this system does not report them. */
    static Optional<DeviceErrorEvents> of(UUID gpu) {
        if (Nvml.init() != Nvml.SUCCESS) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(ValueLayout.JAVA_LONG);
            if (Nvml.device("GPU-" + gpu, handle) != Nvml.SUCCESS) {
                return Optional.empty(); // as with a part of a GPU
            }
            long device = handle.get(ValueLayout.JAVA_LONG, 0);
            if (Nvml.create(handle) != Nvml.SUCCESS) {
                return Optional.empty();
            }
            long events = handle.get(ValueLayout.JAVA_LONG, 0);
            if (Nvml.register(device, Nvml.XID, events) != Nvml.SUCCESS) {
                int _ = Nvml.free(events);
                return Optional.empty();
            }
            return Optional.of(new XidEvents(events));
        }
    }

    @Override
    public long await(int millis) {
        int result = Nvml.await(events, event, millis);
        return switch (result) {
            case Nvml.SUCCESS -> Nvml.number(event);
            case Nvml.TIMEOUT -> 0;
            default -> throw new IllegalStateException("nvmlEventSetWait_v2 gives " + result);
        };
    }

    @Override
    public String symbol(long number) {
        return "XID_" + number;
    }

    @Override
    public void close() {
        int _ = Nvml.free(events);
        arena.close();
    }
}
