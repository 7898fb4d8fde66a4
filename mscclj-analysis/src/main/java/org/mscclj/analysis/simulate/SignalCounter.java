package org.mscclj.analysis.simulate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.RankPlan;

/** Counts the signals that arrive at one end of a channel. The n-th wait waits for the n-th signal. */
final class SignalCounter implements Awaitable {
    private record Waiter(ChannelWait pending, long number) {}

    private final RankPlan rank;
    private final ChannelType type;
    private final int channel;
    private final boolean remembers;
    private final Deque<Waiter> waiters = new ArrayDeque<>();

    /** The spans of signals that no wait has consumed yet. */
    private final Deque<Integer> spans = new ArrayDeque<>();

    private long arrived;
    private long expected;

    /**
     * Creates a counter at 0.
     *
     * @param rank rank that waits
     * @param channel id of the channel within its type
     * @param remembers whether the counter keeps the spans of signals
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
            wait.notifyArrival(next(), false);
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
                        + ", on which " + arrived + " have arrived");
    }

    /** Delivers a signal. */
    void arrive(int span) {
        arrived++;
        if (remembers) {
            spans.add(span);
        }
        if (!waiters.isEmpty() && waiters.getFirst().number() <= arrived) {
            waiters.removeFirst().pending().notifyArrival(next(), true);
        }
    }

    private int next() {
        return remembers ? spans.removeFirst() : SpanLog.NONE;
    }
}
