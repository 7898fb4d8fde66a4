package org.mscclj.analysis.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.analysis.simulate.timeline.Dependency;

/** A block that waits on several channels at once: for signals, or for acknowledgements of its puts. */
final class ChannelWait implements Pending {
    private static final int MAX_SHOWN = 2;

    private final SimulatedBlock block;
    private final Dependency.Kind kind;
    private final double cost;
    private final List<Awaitable> channels = new ArrayList<>();
    private int open;

    /**
     * Creates a wait without channels.
     *
     * @param kind kind of dependency that ends the wait
     * @param cost nanoseconds from the last arrival until the block continues
     */
    ChannelWait(SimulatedBlock block, Dependency.Kind kind, double cost) {
        this.block = block;
        this.kind = kind;
        this.cost = cost;
    }

    double cost() {
        return cost;
    }

    /** Waits for the next arrival on a channel. */
    void add(Awaitable channel) {
        channels.add(channel);
        if (!channel.await(this)) {
            open++;
        }
    }

    boolean isOver() {
        return open == 0;
    }

    /**
     * Notifies the wait of an arrival.
     *
     * @param by the span that caused it
     * @param waited whether the block had to wait for it
     */
    void notifyArrival(int by, boolean waited) {
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
        int shown = Math.min(MAX_SHOWN, missing.size());
        return "for " + String.join(" and ", missing.subList(0, shown))
                + (missing.size() > shown ? " and " + (missing.size() - shown) + " more channels" : "");
    }
}
