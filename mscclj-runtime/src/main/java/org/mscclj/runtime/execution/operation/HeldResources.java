package org.mscclj.runtime.execution.operation;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;

/**
 * Resources that a prepared operation holds until it is freed, including its caller's buffers. Once the operation is
 * being closed, one thread at a time calls this class.
 */
final class HeldResources {
    private final BackendDevice device;
    private final BufferUser user;
    private final List<AutoCloseable> resources;
    private List<AutoCloseable> holds = List.of();
    private List<DeviceBuffer> held = List.of();
    private boolean freed;

    /**
     * Holds the resources of an operation.
     *
     * @param user is notified when an owner closes a buffer that may be closed
     * @param resources are closed in reverse order when the operation is freed
     */
    HeldResources(BackendDevice device, BufferUser user, List<AutoCloseable> resources) {
        this.device = device;
        this.user = user;
        this.resources = resources;
    }

    /** Allows the owners of buffers to close them when no launch is in flight. The user is then notified. */
    void letClose(List<DeviceBuffer> buffers) {
        for (DeviceBuffer buffer : buffers) {
            device.addUser(buffer, user);
            resources.add(() -> device.removeUser(buffer, user));
        }
    }

    /** Keeps buffers from being closed until the operation is freed or left to a graph. */
    void hold(List<AutoCloseable> whatHolds, List<DeviceBuffer> buffers) {
        holds = whatHolds;
        held = List.copyOf(buffers);
    }

    /** Allows the owners of buffers to close them once the graph is gone. The user is then notified. */
    void leaveToGraph() {
        List<DeviceBuffer> buffers = held;
        if (!freed && !buffers.isEmpty()) {
            held = List.of();
            letClose(buffers);
            Resources.close(holds);
            holds = List.of();
        }
    }

    boolean areFreed() {
        return freed;
    }

    /** Closes all resources in reverse order. */
    void free() {
        freed = true;
        List<AutoCloseable> all = new ArrayList<>(holds);
        all.addAll(resources);
        holds = List.of();
        Resources.close(all);
    }
}
