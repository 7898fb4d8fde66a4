package org.mscclj.backend.host.transfer;

import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.transfer.Transfer;
import org.mscclj.spi.transfer.TransferLanes;

/** Copies chunks into slots. */
final class SendStep extends MessageStep {
    SendStep(Transfer transfer, TransferLane lane, TransferLanes lanes, int first) {
        super(transfer, lane, lanes, first);
    }

    @Override
    boolean move(TransferLane through, long address, long bytes, boolean isFirst) {
        if (!through.isFree()) {
            return false;
        }
        long slot = through.slot();
        if (isFirst) {
            NativeMemory.setLong(slot, transfer().bytes());
        }
        NativeMemory.copy(address, slot + TransferLanes.HEADER_BYTES, bytes);
        return through.pass(TransferLanes.HEADER_BYTES + bytes);
    }
}
