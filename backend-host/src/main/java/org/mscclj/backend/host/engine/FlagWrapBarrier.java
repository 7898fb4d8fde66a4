package org.mscclj.backend.host.engine;

import java.util.List;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.proxy.Trigger;

/**
 * The wrap of packet flags, between the launch of flag 2<sup>32</sup>−1 and the launch of flag 1: each rank clears its
 * packets, then passes a barrier of ranks, then starts the launch.
 *
 * <p>A rank clears only when its own earlier launches have ended, so no thread still waits for the old packets. No rank
 * writes new packets before its targets have cleared, because it starts only after the barrier. Clearing after the
 * barrier would erase packets of fast ranks; without a barrier, slow ranks would erase them.
 *
 * <p>The barrier of a rank spans the ranks whose counters are mapped, and the ranks of other nodes to which port
 * channels lead: it writes to no other rank. Both relations are mutual, so that each rank expects exactly the arrivals
 * that occur.
 *
 * <p>Double scratch needs the barrier also where it holds no packets: both flags are odd, so that two consecutive
 * launches use one half, which plans do not expect. Plans with neither packets nor double scratch need no barrier.
 */
final class FlagWrapBarrier {
    private final ContextSpec spec;
    private final boolean packets;
    private final boolean meets;

    /** The ports to the ranks of the barrier whose counters are not mapped. */
    private final List<PortBinding> ports;

    /** Number of other ranks of the barrier whose counters are mapped. */
    private final int mapped;

    private long meetings;
    private boolean cleared;

    /** The rank, or the port after the last rank, whose arrival count is raised next. */
    private int next;

    FlagWrapBarrier(ContextSpec spec) {
        this.spec = spec;
        this.packets = spec.plan().usesPackets();
        this.meets = packets || spec.plan().doubleScratch();
        this.ports = List.copyOf(spec.arrivals().values());
        int near = 0;
        for (int rank = 0; rank < spec.peers().size(); rank++) {
            near += isRaisedHere(rank) ? 1 : 0;
        }
        this.mapped = near;
    }

    private boolean isRaisedHere(int rank) {
        return rank != spec.rank() && spec.peers().get(rank).counters().isPresent();
    }

    /** Raises the arrival count of the next rank; returns false if the call has to be repeated. */
    private boolean raise() {
        if (next < spec.peers().size()) {
            if (isRaisedHere(next)) {
                long counters = spec.peers().get(next).counters().getAsLong();
                NativeMemory.getAndAddLong(counters + ContextLayout.ARRIVALS, 1);
            }
            return true;
        }
        PortBinding port = ports.get(next - spec.peers().size());
        return port.fifo().tryPush(0, Trigger.word1(0, 0, 0, Trigger.SIGNAL, port.semaphoreId())) >= 0;
    }

    /** Starts a barrier. */
    void begin() {
        cleared = false;
        next = 0;
    }

    /** Advances as far as possible; returns whether the barrier is passed. */
    boolean advance() {
        if (!meets) {
            return true;
        }
        if (!cleared) {
            if (packets) {
                NativeMemory.fill(spec.scratch().address(), spec.scratch().byteSize(), (byte) 0);
            }
            meetings++;
            cleared = true;
        }
        while (next < spec.peers().size() + ports.size()) {
            if (!raise()) {
                return false; // the ring is full
            }
            next++;
        }
        long counters = spec.counters().address();
        return NativeMemory.getLongAcquire(counters + ContextLayout.ARRIVALS) >= meetings * mapped
                && NativeMemory.getLongAcquire(counters + ContextLayout.ARRIVALS_BY_PORT) >= meetings * ports.size();
    }
}
