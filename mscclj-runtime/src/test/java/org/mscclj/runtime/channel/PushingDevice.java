package org.mscclj.runtime.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.PortChannelSpec;
import org.mscclj.spi.engine.DeviceHandle;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.proxy.TriggerFifo;

/** A device of the host whose kernels push triggers: the test does in their place. */
final class PushingDevice {
    static final long HANDLE = 4096;

    /** The lap bit of a full slot in the first lap. */
    private static final long FIRST_LAP = 1L << 63;

    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final BackendDevice device;
    private final List<DeviceBuffer> shared = new ArrayList<>();
    private final List<PortChannelSpec> specs = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private long head;

    PushingDevice(BackendDevice device) {
        this.device = device;
    }

    /** The device, as the runtime sees it. */
    BackendDevice device() {
        return (BackendDevice) Proxy.newProxyInstance(
                BackendDevice.class.getClassLoader(),
                new Class<?>[] {BackendDevice.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "equals" -> self == arguments[0];
                    case "pushesTriggers" -> true;
                    case "createPortHandle" -> handle((PortChannelSpec) arguments[0]);
                    case "allocateHost" -> noted((DeviceBuffer) invoke(method, arguments));
                    default -> invoke(method, arguments);
                });
    }

    private Object invoke(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(device, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private DeviceBuffer noted(DeviceBuffer buffer) {
        shared.add(buffer);
        return buffer;
    }

    private DeviceHandle handle(PortChannelSpec spec) {
        specs.add(spec);
        return new DeviceHandle() {
            @Override
            public long address() {
                return HANDLE;
            }

            @Override
            public void close() {
                closed.add("handle");
            }
        };
    }

    /** What kernels were told of the channels, in order. */
    List<PortChannelSpec> specs() {
        return specs;
    }

    /** Handles that were closed. */
    int closedHandles() {
        return closed.size();
    }

    private MemorySegment ring(PortChannelSpec spec) {
        return shared.stream()
                .map(DeviceBuffer::segment)
                .filter(memory -> memory.address() == spec.fifo().address())
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("the ring"));
    }

    /** As a kernel does; the ring is never full here. */
    long push(PortChannelSpec spec, int type, long originOffset, long targetOffset, long bytes) {
        MemorySegment ring = ring(spec);
        long position = head++;
        long slot = position * TriggerFifo.SLOT_BYTES;
        WORD.set(ring, slot, Trigger.word0(bytes, originOffset));
        long word1 = Trigger.word1(targetOffset, spec.originId(), spec.targetId(), type, spec.semaphoreId());
        WORD.setRelease(ring, slot + Long.BYTES, word1 | FIRST_LAP);
        return position;
    }

    /** As a kernel does. */
    void awaitFlushed(PortChannelSpec spec, long position) {
        long word = TriggerFifo.flushedOffset(spec.fifo().capacity()) + (long) spec.semaphoreId() * Long.BYTES;
        while ((long) WORD.getAcquire(ring(spec), word) <= position) {
            Thread.onSpinWait();
        }
    }
}
