package org.mscclj.backend.host.transfer;

import org.mscclj.backend.host.step.StepContext;
import org.mscclj.spi.transfer.RemoteAccess;

/** Puts chunk after chunk, and waits until all have landed in the peer's memory. */
final class PutStep extends AccessStep {
    private final PutLane lane;
    private long position;

    PutStep(RemoteAccess access, PutLane lane) {
        super(access);
        this.lane = lane;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        super.begin(context, from, to);
        position = 0;
    }

    @Override
    public int advance(StepContext context) {
        RemoteAccess access = access();
        while (position < access.bytes()) {
            if (context.exhausted()) {
                return PAUSED;
            }
            long bytes = Math.min(lane.slotBytes(), access.bytes() - position);
            if (!lane.put(access.address() + position, bytes, access.memoryId(), access.offset() + position)) {
                return BLOCKED;
            }
            context.handled(bytes);
            position += bytes;
        }
        if (!lane.hasLanded()) {
            return BLOCKED;
        }
        moved(position);
        return ENDED;
    }
}
