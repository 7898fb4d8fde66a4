package org.mscclj.spi.device;

import org.mscclj.api.device.DeviceBuffer;

/** A peer's memory as a buffer, with the mapping, which ends with its last user: whatever is in flight never finds memory gone. */
public interface MappedView extends AutoCloseable {
    /** The buffer; closing it does nothing. Peers cannot map it. */
    DeviceBuffer buffer();

    /** Whether operations, copies, graphs or holders use it. */
    boolean isUsed();

    /** Refuses whoever begins to use the memory, and unmaps it when its last user has ended. Idempotent; does not wait. */
    @Override
    void close();
}
