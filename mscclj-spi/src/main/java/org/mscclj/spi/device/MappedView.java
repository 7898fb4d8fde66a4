package org.mscclj.spi.device;

import org.mscclj.api.device.DeviceBuffer;

/**
 * A peer's memory as a buffer. The view owns the mapping, which ends with its last user, so that work in flight never
 * accesses unmapped memory.
 */
public interface MappedView extends AutoCloseable {
    /** The buffer; closing it does nothing. Peers cannot map it. */
    DeviceBuffer buffer();

    /** Whether operations, copies, graphs or holders use it. */
    boolean isUsed();

    /**
     * Refuses new users of the memory, and unmaps it when its last user has ended. Does not wait for users, with one
     * exception: an occasional user that another thread launches at this moment may delay the return, up to the
     * communicator's timeout. Idempotent.
     */
    @Override
    void close();
}
