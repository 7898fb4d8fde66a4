package org.mscclj.spi.multicast;

import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.Provider;
import org.mscclj.spi.device.BackendDevice;

/**
 * Describes a source of multicast memory. Set-up of a group takes three steps, between which the runtime sends the
 * result of each to the members: the first member creates the group, all join, all bind.
 */
public interface MulticastProvider extends Provider {
    /** Whether a device can be a member of a group. */
    boolean supports(BackendDevice device);

    /**
     * Creates a group for {@code members} ranks and {@code bytes} bytes, on the first member; returns the description
     * by which the other members join.
     */
    byte[] create(BackendDevice device, List<Integer> members, long bytes);

    /** Joins the group, on every member. */
    MulticastGroup join(BackendDevice device, byte[] group);

    /** A member's view of a group. */
    interface MulticastGroup extends AutoCloseable {
        /** Binds this member's memory, after all have joined; returns the multicast address of its start. */
        long bind(DeviceBuffer buffer);

        /** Leaves the group. Idempotent. */
        @Override
        void close();
    }
}
