package org.mscclj.runtime.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;

/**
 * The operations of an executor that nobody has closed. Used by one thread at a time, but for closing: threads that
 * join close some.
 */
final class OpenOperations {
    private final Set<PreparedPlan> open = ConcurrentHashMap.newKeySet();

    OpenOperations() {}

    /** Frees those that were closed, and that only graphs have kept, which are gone. */
    void freeForgotten() {
        open.forEach(PreparedPlan::freeIfForgotten);
    }

    /**
     * Keeps an operation until it is closed, and its context in use until then.
     *
     * @param resources what the operation frees, the last first
     */
    void add(PreparedPlan prepared, PlanContext context, List<AutoCloseable> resources) {
        context.enter();
        resources.addFirst(
                () -> { // the last to be closed: until then it is in use
                    open.remove(prepared);
                    context.leave();
                });
        open.add(prepared);
    }

    /** Keeps buffers from being closed until what is added to {@code retained} is. */
    static void retain(BackendDevice device, List<DeviceBuffer> buffers, List<AutoCloseable> retained) {
        for (DeviceBuffer buffer : buffers) {
            device.retain(buffer);
            retained.add(() -> device.release(buffer));
        }
    }

    /**
     * Ends the making of an operation, during which buffers were retained: they stay so while it is open, or their
     * owners may close them from now on when none of its launches is in flight.
     *
     * @param retained what {@link #retain} has added; empty from now on, unless this throws first
     */
    static void handOver(
            PreparedPlan prepared, BufferHold hold, List<DeviceBuffer> buffers, List<AutoCloseable> retained) {
        if (hold == BufferHold.IN_FLIGHT) {
            prepared.letClose(buffers); // while they are retained: another thread may close one
        }
        List<AutoCloseable> own = List.copyOf(retained);
        retained.clear();
        if (hold == BufferHold.IN_FLIGHT) {
            Resources.close(own);
        } else {
            prepared.hold(own, buffers);
        }
    }

    /**
     * Closes those that are still open, or kept by graphs, which waits for their launches on all streams. Replays fail
     * from now on.
     */
    void closeAll() {
        List<AutoCloseable> closings = new ArrayList<>();
        open.forEach(operation -> closings.add(operation::closeForGood));
        Resources.close(closings);
    }
}
