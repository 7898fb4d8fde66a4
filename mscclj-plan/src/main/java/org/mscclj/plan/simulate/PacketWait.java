package org.mscclj.plan.simulate;

import java.util.List;
import org.mscclj.plan.layout.RoundLayout;

/** A block waits until packets of some ranges are in its rank's scratch. */
final class PacketWait implements Pending {
    private final BlockRun block;
    private final List<RoundLayout.Range> ranges;
    private final Runnable then;
    private long missing;

    /**
     * A wait.
     *
     * @param then is called when all are there
     */
    PacketWait(BlockRun block, List<RoundLayout.Range> ranges, Runnable then) {
        this.block = block;
        this.ranges = ranges;
        this.then = then;
    }

    List<RoundLayout.Range> ranges() {
        return ranges;
    }

    /** So many bytes more are missing, or fewer if it is less than 0. */
    void miss(long bytes) {
        missing += bytes;
    }

    boolean isOver() {
        return missing == 0;
    }

    /** All are there. */
    void told(int by) {
        block.woken(by);
        then.run();
    }

    @Override
    public String describe() {
        return "for packets in its scratch, of which " + missing + " bytes have not come";
    }
}
