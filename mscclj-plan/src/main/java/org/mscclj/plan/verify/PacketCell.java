package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cell of a packet area, which holds a value and the launch whose flag it carries. */
final class PacketCell {
    private static final int NEVER = -1;

    int value = Values.NOTHING;
    int launch = NEVER;
    int writer;
    int step;

    /** The writer's last step that wrote the same value again, or its only one. */
    int lastStep;

    /** Whether the launch has written another value before, with the same flag. */
    boolean rewritten;

    /** The launch in which a proxy copied what was no packet over it, and which proxy in which of its steps. */
    private int invalidLaunch = NEVER;

    int invalidator;
    int invalidStep;

    /** What preceded the writer's launch, and the launches of the packets from which it was computed. */
    @Nullable
    Knowledge begin;

    /**
     * What the writer could tell, and the writers of the packets from which it was computed: the reads of it precede
     * the packet, as they do a relaxed signal.
     */
    @Nullable
    Knowledge told;

    /** The reads from which the packet was computed. */
    List<ElementRead> sources = List.of();

    List<ElementRead> readers = new ArrayList<>();

    /** Blocks that wait for it. */
    final List<Block> waiting = new ArrayList<>();

    boolean isWritten() {
        return launch != NEVER;
    }

    /** A proxy copies what is no packet over it. */
    void invalidate(int inLaunch, Agent proxy) {
        invalidLaunch = inLaunch;
        invalidator = proxy.index();
        invalidStep = proxy.step();
    }

    boolean isInvalidated(int inLaunch) {
        return invalidLaunch == inLaunch;
    }
}
