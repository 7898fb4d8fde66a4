package org.mscclj.analysis.simulate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.mscclj.plan.ChannelType;

/** The queue of one port channel: moves requests one after the other, and acknowledges each in that order. */
final class PortQueue implements Awaitable {
    private final SimulatedMachine machine;
    private final int rank;
    private final int channel;
    private final double latency;
    private final Runnable whenMoved;
    private final Deque<ProxyTask> posted = new ArrayDeque<>();
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private long handedOver;
    private long acknowledged;
    private int last = SpanLog.NONE;

    /** A block that waits until a number of tasks is acknowledged. */
    private record Waiter(ChannelWait pending, long tasks) {}

    /**
     * Creates an empty queue.
     *
     * @param latency nanoseconds one way
     * @param whenMoved runs after the data of each task has moved
     */
    PortQueue(SimulatedMachine machine, int rank, int channel, double latency, Runnable whenMoved) {
        this.machine = machine;
        this.rank = rank;
        this.channel = channel;
        this.latency = latency;
        this.whenMoved = whenMoved;
    }

    /**
     * Counts a task that a block has handed to the proxy and that will be posted. A flush waits for the tasks counted
     * before it.
     */
    void handedOver() {
        handedOver++;
    }

    void post(ProxyTask task) {
        posted.add(task);
        if (posted.size() == 1) {
            move();
        }
    }

    private void move() {
        ProxyTask task = posted.getFirst();
        machine.flows().start((double) task.bytes(), task.rate(), task.usage(), this::moved);
    }

    private void moved() {
        ProxyTask task = posted.removeFirst();
        double now = machine.clock().now();
        machine.log().close(task.span(), now, task.bytes());
        last = task.span();
        machine.clock().at(now + latency, task.arrival());
        if (task.signals()) {
            machine.signal(machine.rank(rank), ChannelType.PORT, channel, now, task.span());
        }
        machine.clock().at(now + 2 * latency, () -> acknowledge(task.span()));
        if (!posted.isEmpty()) {
            int next = posted.getFirst().span();
            machine.log().ready(next, now);
            machine.log().cause(next, task.span());
            move();
        }
        whenMoved.run();
    }

    private void acknowledge(int span) {
        acknowledged++;
        machine.log().acknowledged(span, machine.clock().now());
        while (!waiters.isEmpty() && waiters.getFirst().tasks() <= acknowledged) {
            waiters.removeFirst().pending().notifyArrival(span, true);
        }
    }

    /** Whether all tasks handed to the proxy are acknowledged. */
    @Override
    public boolean await(ChannelWait wait) {
        if (acknowledged >= handedOver) {
            wait.notifyArrival(last, false);
            return true;
        }
        waiters.add(new Waiter(wait, handedOver));
        return false;
    }

    @Override
    public Optional<String> missing(ChannelWait wait) {
        return waiters.stream()
                .filter(waiter -> waiter.pending.equals(wait))
                .findFirst()
                .map(waiter -> (waiter.tasks - acknowledged) + " acknowledgements on port channel #" + channel);
    }
}
