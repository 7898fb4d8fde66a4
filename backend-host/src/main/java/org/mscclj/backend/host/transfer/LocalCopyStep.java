package org.mscclj.backend.host.transfer;

import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.StepContext;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.transfer.TransferSpec;

/** A copy between memory that this rank reaches: a transfer to itself, or a read or write of another rank's memory. */
final class LocalCopyStep extends HostStep {
    private static final long BATCH = 128 * 1024;

    private final TransferSpec.LocalCopy copy;
    private long position;

    LocalCopyStep(TransferSpec.LocalCopy copy) {
        this.copy = copy;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        position = copy.source() == copy.destination() ? copy.bytes() : 0;
    }

    @Override
    public long bytes(long from, long to) {
        return copy.bytes();
    }

    @Override
    public int advance(StepContext context) {
        while (position < copy.bytes()) {
            if (context.exhausted()) {
                return PAUSED;
            }
            long bytes = Math.min(BATCH, copy.bytes() - position);
            NativeMemory.copy(copy.source() + position, copy.destination() + position, bytes);
            context.handled(bytes);
            position += bytes;
        }
        return ENDED;
    }
}
