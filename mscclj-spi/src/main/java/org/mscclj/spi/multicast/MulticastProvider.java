package org.mscclj.spi.multicast;

import java.util.List;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.Provider;
import org.mscclj.spi.device.BackendDevice;

/**
 * Describes a source of multicast memory. Setting a group up takes three steps, between which the runtime sends what
 * each returns to the members: the first member creates, all join, all bind.
 */
public interface MulticastProvider extends Provider {
    /** Whether a device can be a member. */
    boolean supports(BackendDevice device);

    /**
     * First member: creates a group for {@code members} ranks and {@code bytes} bytes; returns what the others join by.
     */
    byte[] create(BackendDevice device, List<Integer> members, long bytes);

    /** Every member: joins the group. */
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
