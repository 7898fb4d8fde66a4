package org.mscclj.plan.simulate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.RankPlan;

/** Counts the signals that arrive at an end of a channel. The n-th wait waits for the n-th signal. */
final class SignalCounter implements Awaited {
    private record Waiter(ChannelWait pending, long number) {}

    private final RankPlan rank;
    private final ChannelType type;
    private final int channel;
    private final boolean remembers;
    private final Deque<Waiter> waiters = new ArrayDeque<>();

    /** The spans of signals that nobody has waited for yet. */
    private final Deque<Integer> spans = new ArrayDeque<>();

    private long arrived;
    private long expected;

    /**
     * A counter at 0.
     *
     * @param rank whose it is
     * @param channel the channel of the type
     * @param remembers whether it keeps the spans of signals
     */
    SignalCounter(RankPlan rank, ChannelType type, int channel, boolean remembers) {
        this.rank = rank;
        this.type = type;
        this.channel = channel;
        this.remembers = remembers;
    }

    @Override
    public boolean await(ChannelWait wait) {
        expected++;
        if (arrived >= expected) {
            wait.told(next(), false);
            return true;
        }
        waiters.add(new Waiter(wait, expected));
        return false;
    }

    @Override
    public Optional<String> missing(ChannelWait wait) {
        return waiters.stream()
                .filter(waiter -> waiter.pending.equals(wait))
                .findFirst()
                .map(waiter -> "signal " + waiter.number + " of rank "
                        + rank.channelPeers(type).get(channel) + " on " + type.label() + " channel #" + channel
                        + ", on which " + arrived + " have come");
    }

    /** A signal arrives. */
    void arrive(int span) {
        arrived++;
        if (remembers) {
            spans.add(span);
        }
        if (!waiters.isEmpty() && waiters.getFirst().number() <= arrived) {
            waiters.removeFirst().pending().told(next(), true);
        }
    }

    private int next() {
        return remembers ? spans.removeFirst() : SpanLog.NONE;
    }
}
