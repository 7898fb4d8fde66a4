package org.mscclj.analysis.simulate;

import java.util.List;
import org.mscclj.plan.layout.RoundLayout;

/** A block that waits for packets in ranges of its rank's scratch. */
final class PacketWait implements Pending {
    private final SimulatedBlock block;
    private final List<RoundLayout.Range> ranges;
    private final Runnable then;
    private long missing;

    /**
     * Creates a wait.
     *
     * @param then runs when all packets have arrived
     */
    PacketWait(SimulatedBlock block, List<RoundLayout.Range> ranges, Runnable then) {
        this.block = block;
        this.ranges = ranges;
        this.then = then;
    }

    List<RoundLayout.Range> ranges() {
        return ranges;
    }

    /** Adds a number of missing bytes; a negative number removes missing bytes. */
    void miss(long bytes) {
        missing += bytes;
    }

    boolean isOver() {
        return missing == 0;
    }

    /** Notifies the wait that all packets have arrived. */
    void notifyArrival(int by) {
        block.woken(by);
        then.run();
    }

    @Override
    public String describe() {
        return "for packets in its scratch, of which " + missing + " bytes are missing";
    }
}
