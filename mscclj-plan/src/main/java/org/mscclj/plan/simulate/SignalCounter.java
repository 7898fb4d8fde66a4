package org.mscclj.plan.simulate;

import java.util.ArrayDeque;
import java.util.Deque;

/** Counts the signals that arrive at an end of a channel. The n-th wait waits for the n-th signal. */
final class SignalCounter {
    /**
     * Somebody who waits.
     *
     * @param block the block
     * @param number of the signal that it waits for
     */
    record Waiter(BlockRun block, long number) {}

    private final boolean remembers;
    private final Deque<Waiter> waiters = new ArrayDeque<>();

    /** The spans of signals that nobody has waited for yet. */
    private final Deque<Integer> spans = new ArrayDeque<>();

    private long arrived;
    private long expected;

    /**
     * A counter at 0.
     *
     * @param remembers whether it keeps the spans of signals
     */
    SignalCounter(boolean remembers) {
        this.remembers = remembers;
    }

    long arrived() {
        return arrived;
    }

    Deque<Waiter> waiters() {
        return waiters;
    }

    /**
     * Waits for the next signal.
     *
     * @return whether it has arrived; otherwise the block is told when it does
     */
    boolean await(BlockRun block) {
        expected++;
        if (arrived >= expected) {
            block.signalled(next(), false);
            return true;
        }
        waiters.add(new Waiter(block, expected));
        return false;
    }

    /** A signal arrives. */
    void arrive(int span) {
        arrived++;
        if (remembers) {
            spans.add(span);
        }
        if (!waiters.isEmpty() && waiters.getFirst().number() <= arrived) {
            waiters.removeFirst().block().signalled(next(), true);
        }
    }

    private int next() {
        return remembers ? spans.removeFirst() : SpanLog.NONE;
    }
}
