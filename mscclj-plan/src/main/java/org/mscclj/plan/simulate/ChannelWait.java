package org.mscclj.plan.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A block waits until on each of some channels what it waits for has come: signals, or acknowledgements of what it has
 * put.
 */
final class ChannelWait implements Pending {
    private static final int MOST_TOLD = 2;

    private final BlockRun block;
    private final Dependency.Kind kind;
    private final double cost;
    private final List<Awaited> channels = new ArrayList<>();
    private int open;

    /**
     * A wait for nothing yet.
     *
     * @param kind by what it is told
     * @param cost nanoseconds from the last arrival until the block goes on
     */
    ChannelWait(BlockRun block, Dependency.Kind kind, double cost) {
        this.block = block;
        this.kind = kind;
        this.cost = cost;
    }

    double cost() {
        return cost;
    }

    /** Waits for what comes next on a channel. */
    void add(Awaited channel) {
        channels.add(channel);
        if (!channel.await(this)) {
            open++;
        }
    }

    boolean isOver() {
        return open == 0;
    }

    /**
     * Something is there.
     *
     * @param by the span that brought it about
     * @param waited whether it has just come
     */
    void told(int by, boolean waited) {
        block.dependsOn(by, kind);
        if (waited) {
            open--;
            if (open == 0) {
                block.resume(by, cost);
            }
        }
    }

    @Override
    public String describe() {
        List<String> missing = channels.stream()
                .map(channel -> channel.missing(this))
                .flatMap(Optional::stream)
                .toList();
        int told = Math.min(MOST_TOLD, missing.size());
        return "for " + String.join(" and ", missing.subList(0, told))
                + (missing.size() > told ? " and " + (missing.size() - told) + " channels more" : "");
    }
}
