package org.mscclj.backend.host.transfer;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.transfer.Transfer;
import org.mscclj.spi.transfer.TransferLanes;

/** Copies chunks out of slots. */
final class ReceiveStep extends MessageStep {
    private final int rank;
    private boolean taken;

    ReceiveStep(int rank, Transfer transfer, TransferLane lane, TransferLanes lanes, int first) {
        super(transfer, lane, lanes, first);
        this.rank = rank;
    }

    @Override
    boolean move(TransferLane through, long address, long bytes, boolean isFirst) {
        if (!taken) {
            if (!through.isFull()) {
                return false;
            }
            if (isFirst) {
                requireSize(NativeMemory.getLong(through.slot()));
            }
            NativeMemory.copy(through.slot() + TransferLanes.HEADER_BYTES, address, bytes);
            taken = true; // the chunk is copied, but its signal may have to wait
        }
        taken = !through.pass(0);
        return !taken;
    }

    private void requireSize(long sent) {
        if (sent != transfer().bytes()) {
            throw new InvalidArgumentException(
                    "rank " + transfer().peer() + " sends " + sent + " bytes, where rank " + rank
                            + " receives " + transfer().bytes()
                            + " from it; the sizes of a message must be equal, and messages between two ranks"
                            + " be received in the order in which they are sent");
        }
    }
}
