package org.mscclj.runtime.execution;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;

/**
 * What a prepared operation holds until it is freed, its caller's buffers among it. One thread at a time calls this
 * once the operation is being closed.
 */
final class HeldResources {
    private final BackendDevice device;
    private final BufferUser user;
    private final List<AutoCloseable> resources;
    private List<AutoCloseable> holds = List.of();
    private List<DeviceBuffer> held = List.of();
    private boolean freed;

    /**
     * Holds what an operation was made of.
     *
     * @param user is told when a buffer is closed that may be
     * @param resources are closed when the operation is freed, the last first
     */
    HeldResources(BackendDevice device, BufferUser user, List<AutoCloseable> resources) {
        this.device = device;
        this.user = user;
        this.resources = resources;
    }

    /** Lets the owners of buffers close them when no launch is in flight, of which the user is told. */
    void letClose(List<DeviceBuffer> buffers) {
        for (DeviceBuffer buffer : buffers) {
            device.addUser(buffer, user);
            resources.add(() -> device.removeUser(buffer, user));
        }
    }

    /** Keeps buffers from being closed until this is freed or left to a graph. */
    void hold(List<AutoCloseable> whatHolds, List<DeviceBuffer> buffers) {
        holds = whatHolds;
        held = List.copyOf(buffers);
    }

    /** The owners of buffers may close them once the graph is gone, of which the user is told. */
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

    /** Closes everything, the last first. */
    void free() {
        freed = true;
        List<AutoCloseable> all = new ArrayList<>(holds);
        all.addAll(resources);
        holds = List.of();
        Resources.close(all);
    }
}
