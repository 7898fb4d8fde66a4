package org.mscclj.analysis.verify.machine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.verify.order.VectorClock;

/** A cell of a packet area: a value, and the launch whose flag it carries. */
final class PacketCell {
    private static final int NEVER = -1;

    int value = Values.NOTHING;
    int launch = NEVER;
    int writer;
    int step;

    /** The writer's last step that wrote this value again, or its only step. */
    int lastStep;

    /** Whether the launch has written another value before, with the same flag. */
    boolean rewritten;

    /** The launch in which a proxy copied data without a valid flag over this cell, with the proxy and its step. */
    private int invalidLaunch = NEVER;

    int invalidator;
    int invalidStep;

    /** Clocks before the launch of the writer, and before the launches of the packets from which it was computed. */
    @Nullable
    VectorClock begin;

    /**
     * Clocks that the writer released, and the writers of the packets from which it was computed. Their reads precede
     * the packet, as with a relaxed signal.
     */
    @Nullable
    VectorClock released;

    /** The reads from which the packet was computed. */
    List<ElementRead> sources = List.of();

    List<ElementRead> readers = new ArrayList<>();

    /** Blocks that wait for this packet. */
    final List<Block> waiting = new ArrayList<>();

    boolean isWritten() {
        return launch != NEVER;
    }

    /** A proxy copies data without a valid flag over this cell. */
    void invalidate(int inLaunch, Agent proxy) {
        invalidLaunch = inLaunch;
        invalidator = proxy.index();
        invalidStep = proxy.step();
    }

    boolean isInvalidated(int inLaunch) {
        return invalidLaunch == inLaunch;
    }
}
