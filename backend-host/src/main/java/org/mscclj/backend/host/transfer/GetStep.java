package org.mscclj.backend.host.transfer;

import org.mscclj.backend.host.step.StepContext;
import org.mscclj.spi.transfer.RemoteAccess;

/** Requests chunk after chunk, ahead of the answers that have arrived, and takes the answers. */
final class GetStep extends AccessStep {
    private final GetLane lane;
    private long asked;
    private long taken;

    GetStep(RemoteAccess access, GetLane lane) {
        super(access);
        this.lane = lane;
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        super.begin(context, from, to);
        asked = 0;
        taken = 0;
    }

    @Override
    public int advance(StepContext context) {
        RemoteAccess access = access();
        while (taken < access.bytes()) {
            if (context.exhausted()) {
                return PAUSED;
            }
            while (asked < access.bytes() && lane.ask(access.offset() + asked, chunk(asked))) {
                context.handled(1);
                asked += chunk(asked);
            }
            if (taken == asked || !lane.isAnswered()) {
                return BLOCKED;
            }
            long bytes = chunk(taken);
            lane.take(access.address() + taken, bytes);
            context.handled(bytes);
            taken += bytes;
            moved(taken);
        }
        return ENDED;
    }

    private long chunk(long position) {
        return Math.min(lane.payloadBytes(), access().bytes() - position);
    }
}
