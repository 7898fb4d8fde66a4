package org.mscclj.backend.host.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.mscclj.plan.Protocol;
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
final class FlagWrap {
    private final ContextSpec spec;
    private final boolean packets;
    private final boolean meets;

    /** Each raises the arrival count of one rank; false if the call has to be repeated. */
    private final BooleanSupplier[] arrivals;

    private long meetings;
    private boolean cleared;
    private int told;

    FlagWrap(ContextSpec spec) {
        this.spec = spec;
        this.packets = spec.plan().protocol() == Protocol.LL;
        this.meets = packets || spec.plan().doubleScratch();
        List<BooleanSupplier> others = new ArrayList<>();
        for (int rank = 0; rank < spec.peers().size(); rank++) {
            if (rank != spec.rank()) {
                spec.peers().get(rank).counters().ifPresent(counters -> others.add(() -> raise(counters)));
            }
        }
        for (PortBinding port : spec.arrivals().values()) {
            others.add(() -> port.fifo().tryPush(0, Trigger.word1(0, 0, 0, Trigger.SIGNAL, port.semaphoreId())) >= 0);
        }
        this.arrivals = others.toArray(BooleanSupplier[]::new);
    }

    private static boolean raise(long counters) {
        NativeMemory.getAndAddLong(counters + ContextLayout.ARRIVALS, 1);
        return true;
    }

    /** Starts a barrier. */
    void begin() {
        cleared = false;
        told = 0;
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
        while (told < arrivals.length) {
            if (!arrivals[told].getAsBoolean()) {
                return false; // the ring is full
            }
            told++;
        }
        long own = spec.counters().address() + ContextLayout.ARRIVALS;
        return NativeMemory.getLongAcquire(own) >= meetings * arrivals.length;
    }
}
