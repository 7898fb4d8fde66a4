package org.mscclj.backend.cuda.memory;

import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.ffm.ForeignMemory;

/**
 * An allocation of another process, opened by its {@link LegacyHandle}.
 *
 * @param address where it starts here
 */
record OpenedHandle(long address) implements PeerRange {
    @Override
    public void unmap() {
        DriverResult.checkFreed(ForeignMemory.closeLegacyHandle(address), "cuIpcCloseMemHandle");
    }
}
