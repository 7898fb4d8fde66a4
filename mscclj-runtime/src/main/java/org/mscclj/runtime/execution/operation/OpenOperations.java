package org.mscclj.runtime.execution.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.execution.context.LaunchContext;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;

/**
 * The open operations of an executor. Used by one thread at a time, except for closing: threads that join close some
 * operations.
 */
public final class OpenOperations {
    private final Set<PreparedCall> open = ConcurrentHashMap.newKeySet();

    /** Closed operations that graphs keep. */
    private final Set<PreparedCall> leftToGraphs = ConcurrentHashMap.newKeySet();

    public OpenOperations() {}

    /** Frees closed operations that only graphs have kept, once the graphs are gone. */
    public void freeForgotten() {
        if (!leftToGraphs.isEmpty()) {
            leftToGraphs.forEach(PreparedCall::freeIfForgotten);
        }
    }

    /**
     * Keeps an operation, and its context in use, until the operation is closed.
     *
     * @param resources resources that the operation frees in reverse order
     */
    public void add(PreparedCall prepared, LaunchContext context, List<AutoCloseable> resources) {
        context.enter();
        resources.addFirst(
                () -> { // closed last: the operation is in use until then
                    open.remove(prepared);
                    leftToGraphs.remove(prepared);
                    context.leave();
                });
        open.add(prepared);
        prepared.whenLeftToGraph(() -> leftToGraphs.add(prepared));
    }

    /** Keeps buffers from being closed until the elements added to {@code retained} are closed. */
    public static void retain(BackendDevice device, List<DeviceBuffer> buffers, List<AutoCloseable> retained) {
        for (DeviceBuffer buffer : buffers) {
            device.retain(buffer);
            retained.add(() -> device.release(buffer));
        }
    }

    /**
     * Ends the creation of an operation, during which buffers were retained. The buffers stay retained while the
     * operation is open, or their owners may close them from now on when none of its launches is in flight.
     *
     * @param retained the elements that {@link #retain} has added; empty from now on, unless this method throws first
     */
    public static void handOver(
            PreparedCall prepared, BufferHold hold, List<DeviceBuffer> buffers, List<AutoCloseable> retained) {
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

    /** Closes the operations that are still open. Waits for their launches. Graphs keep what they need. */
    public void close() {
        List<AutoCloseable> closings = new ArrayList<>(open);
        Resources.close(closings);
    }

    /**
     * Closes the operations that are still open, or that graphs keep. Waits for their launches on all streams. Replays
     * fail from now on.
     */
    public void closeAll() {
        List<AutoCloseable> closings = new ArrayList<>();
        open.forEach(operation -> closings.add(operation::closeForGood));
        Resources.close(closings);
    }
}
