package org.mscclj.spi.device;

import org.mscclj.api.device.DeviceBuffer;

/**
 * A peer's memory as a buffer, with the mapping, which ends with its last user: whatever is in flight never finds
 * memory gone.
 */
public interface MappedView extends AutoCloseable {
    /** The buffer; closing it does nothing. Peers cannot map it. */
    DeviceBuffer buffer();

    /** Whether operations, copies, graphs or holders use it. */
    boolean isUsed();

    /**
     * Refuses whoever begins to use the memory, and unmaps it when its last user has ended. Waits for no use of it;
     * only an operation that uses it now and then, and is launched at this very moment by another thread, may keep this
     * waiting, up to the communicator's timeout. Idempotent.
     */
    @Override
    void close();
}
