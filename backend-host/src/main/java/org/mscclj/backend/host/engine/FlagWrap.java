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
 * What happens between the launch of packet flag 2<sup>32</sup>−1 and that of flag 1: each rank clears its packets,
 * then it meets the others, then the launch starts.
 *
 * <p>A rank clears only when its own earlier launches have ended, so nobody still waits for the old packets; and no
 * rank writes new ones before those that it writes to have cleared, because it starts only after the meeting. Clearing
 * after the meeting would erase packets of the fast; without a meeting the slow would clear them.
 *
 * <p>A rank meets those whose counters are mapped, and those of other nodes to which port channels lead: it writes to
 * nobody else. Both are mutual, so that each expects exactly those that come.
 *
 * <p>Double scratch needs the meeting also where it holds no packets: both flags are odd, so that two launches in a row
 * use the same half, which plans do not expect. Plans with neither do not meet.
 */
final class FlagWrap {
    private final ContextSpec spec;
    private final boolean packets;
    private final boolean meets;

    /** Each raises the count of one rank; false if that has to be tried again. */
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

    /** Starts a meeting. */
    void begin() {
        cleared = false;
        told = 0;
    }

    /** Goes on as far as possible; whether the meeting is over. */
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
