package org.mscclj.analysis.verify.machine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.verify.order.VectorClock;

/** A cell of a packet area: a value, and the launch whose flag it carries. */
public final class PacketCell {
    private static final int NEVER = -1;

    public int value = Values.NOTHING;
    public int launch = NEVER;
    public int writer;
    public int step;

    /** The writer's last step that wrote this value again, or its only step. */
    public int lastStep;

    /** Whether the launch has written another value before, with the same flag. */
    public boolean rewritten;

    /** The launch in which a proxy copied data without a valid flag over this cell, with the proxy and its step. */
    private int invalidLaunch = NEVER;

    public int invalidator;
    public int invalidStep;

    /** Clocks before the launch of the writer, and before the launches of the packets from which it was computed. */
    @Nullable
    public VectorClock begin;

    /**
     * Clocks that the writer released, and the writers of the packets from which it was computed. Their reads precede
     * the packet, as with a relaxed signal.
     */
    @Nullable
    public VectorClock released;

    /** The reads from which the packet was computed. */
    public List<ElementRead> sources = List.of();

    public List<ElementRead> readers = new ArrayList<>();

    /** Blocks that wait for this packet. */
    public final List<Block> waiting = new ArrayList<>();

    public boolean isWritten() {
        return launch != NEVER;
    }

    /** A proxy copies data without a valid flag over this cell. */
    public void invalidate(int inLaunch, Agent proxy) {
        invalidLaunch = inLaunch;
        invalidator = proxy.index();
        invalidStep = proxy.step();
    }

    public boolean isInvalidated(int inLaunch) {
        return invalidLaunch == inLaunch;
    }
}
