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

    /** What preceded the writer's launch. */
    @Nullable
    Knowledge begin;

    /** What the writer could tell: the reads of it precede the packet, as they do a relaxed signal. */
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
}
