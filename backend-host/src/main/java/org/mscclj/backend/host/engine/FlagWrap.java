package org.mscclj.backend.host.engine;

import java.util.OptionalLong;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.host.ffm.NativeMemory;
import org.mscclj.plan.Protocol;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;

/**
 * What happens between the launch of packet flag 2<sup>32</sup>−1 and that of flag 1: each rank clears its packets, then all
 * ranks meet, then the launch starts.
 *
 * <p>A rank clears only when its own earlier launches have ended, so nobody still waits for the old packets; and no rank writes new
 * ones before all have cleared, because it starts only after the meeting. Clearing after the meeting would erase packets of the
 * fast; without a meeting the slow would clear them.
 *
 * <p>Double scratch needs the meeting also where it holds no packets: both flags are odd, so that two launches in a row use the same
 * half, which plans do not expect. Plans with neither do not meet.
 */
final class FlagWrap {
    private final ContextSpec spec;
    private final boolean packets;
    private final boolean meets;
    private long meetings;
    private boolean arrived;

    FlagWrap(ContextSpec spec) {
        this.spec = spec;
        this.packets = spec.plan().protocol() == Protocol.LL;
        this.meets = packets || spec.plan().doubleScratch();
    }

    /** Starts a meeting. */
    void begin() {
        arrived = false;
    }

    /** Goes on as far as possible; whether the meeting is over. */
    boolean advance() {
        if (!meets) {
            return true;
        }
        int world = spec.peers().size();
        if (!arrived) {
            if (packets) {
                NativeMemory.fill(spec.scratch().address(), spec.scratch().byteSize(), (byte) 0);
            }
            for (int rank = 0; rank < world; rank++) {
                if (rank != spec.rank()) {
                    NativeMemory.getAndAddLong(arrivals(rank), 1);
                }
            }
            meetings++;
            arrived = true;
        }
        long own = spec.counters().address() + ContextLayout.ARRIVALS;
        return NativeMemory.getLongAcquire(own) >= meetings * (world - 1);
    }

    private long arrivals(int rank) {
        OptionalLong counters = spec.peers().get(rank).counters();
        return counters.orElseThrow(
                        () -> new UnsupportedException("plan " + spec.plan().name()
                                + ": packet flags have wrapped, and rank " + spec.rank() + " cannot meet rank " + rank
                                + ", whose counters are not mapped; prepare the operation again"))
                + ContextLayout.ARRIVALS;
    }
}
