package org.mscclj.plan.simulate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.simulate.topology.BlockRates;

/**
 * The proxy of a rank: one thread, which posts what blocks hand over, in that order. Of what is posted, each port channel moves one thing after the
 * other, without the proxy, and different channels at once.
 */
final class Proxy {
    private final Machine machine;
    private final RankPlan plan;
    private final List<Channel> channels = new ArrayList<>();

    /** When the proxy has posted what it has been given, and its last span. */
    private double free;

    private int last = SpanLog.NONE;

    /** One port channel. */
    private static final class Channel {
        final Deque<ProxyTask> posted = new ArrayDeque<>();
        final Deque<Waiter> waiters = new ArrayDeque<>();
        int handedOver;
        int completed;
        int last = SpanLog.NONE;
    }

    /** A block that waits until so many tasks have been completed. */
    private record Waiter(BlockRun block, int tasks) {}

    Proxy(Machine machine, RankPlan plan) {
        this.machine = machine;
        this.plan = plan;
        plan.portChannelPeers().forEach(_ -> channels.add(new Channel()));
    }

    /** A block hands a task over. */
    void handOver(ProxyTask task, int by, double when) {
        channels.get(task.channel()).handedOver++;
        machine.log().depends(by, task.span(), Dependency.Kind.PROXY);
        machine.clock().at(when + machine.costs().trigger(), () -> take(task));
    }

    private void take(ProxyTask task) {
        double now = machine.clock().now();
        if (free > now) {
            machine.log().follows(task.span(), last);
        }
        double begin = Math.max(now, free);
        machine.log().begin(task.span(), begin);
        free = begin + machine.costs().post();
        last = task.span();
        machine.clock().at(free, () -> post(task));
    }

    private void post(ProxyTask task) {
        Channel channel = channels.get(task.channel());
        channel.posted.add(task);
        if (channel.posted.size() == 1) {
            move(channel);
        }
    }

    private void move(Channel channel) {
        ProxyTask task = channel.posted.getFirst();
        BlockRates rates = machine.costs().rates();
        boolean byCore = machine.network().cores(plan.rank()).isPresent();
        double cap = byCore ? rates.copy() : Double.POSITIVE_INFINITY;
        machine.flows().start((double) task.bytes(), cap, task.usage(), () -> moved(channel));
    }

    private void moved(Channel channel) {
        ProxyTask task = channel.posted.removeFirst();
        double now = machine.clock().now();
        machine.log().close(task.span(), now, task.bytes());
        channel.last = task.span();
        machine.clock().at(now + task.latency(), task.arrival());
        if (task.signals()) {
            machine.signal(machine.rank(plan.rank()), ChannelType.PORT, task.channel(), now, task.span());
        }
        machine.clock().at(now + 2 * task.latency(), () -> complete(channel, task.span()));
        if (!channel.posted.isEmpty()) {
            int next = channel.posted.getFirst().span();
            machine.log().ready(next, now);
            machine.log().cause(next, task.span());
            move(channel);
        }
    }

    private static void complete(Channel channel, int span) {
        channel.completed++;
        Iterator<Waiter> waiters = channel.waiters.iterator();
        List<BlockRun> woken = new ArrayList<>();
        while (waiters.hasNext()) {
            Waiter waiter = waiters.next();
            if (waiter.tasks() <= channel.completed) {
                waiters.remove();
                woken.add(waiter.block());
            }
        }
        woken.forEach(block -> block.flushed(span, true));
    }

    /** Whether all that was handed over on a channel has been read, and that is known; otherwise the block is told. */
    boolean await(int channel, BlockRun block) {
        Channel waited = channels.get(channel);
        if (waited.completed >= waited.handedOver) {
            block.flushed(waited.last, false);
            return true;
        }
        waited.waiters.add(new Waiter(block, waited.handedOver));
        return false;
    }
}
