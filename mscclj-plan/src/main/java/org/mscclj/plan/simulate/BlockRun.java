package org.mscclj.plan.simulate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.simulate.flow.Clock;
import org.mscclj.plan.simulate.topology.OrderCosts;
import org.mscclj.plan.text.OperationText;

/**
 * One thread block on its way through its operations. It runs ahead of the clock as long as what it does concerns nobody else, or only the future, and
 * waits for the clock before it looks at what others have done.
 */
final class BlockRun {
    private final Machine machine;
    private final RankRun rank;
    private final ThreadBlock block;
    private final Cursor cursor;
    private final SpanLog log;

    /** Until when it is busy. */
    private double time;

    /** The span that it is in, and the one before. */
    private int span = SpanLog.NONE;

    private int before = SpanLog.NONE;

    /** How many channels of a wait are not there yet, or how many semaphores have been taken. */
    private int open;

    private int taken;

    /** The operation that waits for packets. */
    private @Nullable DataRun data;

    BlockRun(Machine machine, RankRun rank, ThreadBlock block) {
        this.machine = machine;
        this.rank = rank;
        this.block = block;
        this.cursor = new Cursor(machine, rank.rank(), block);
        this.log = machine.log();
    }

    RankRun rank() {
        return rank;
    }

    ThreadBlock threadBlock() {
        return block;
    }

    Cursor cursor() {
        return cursor;
    }

    int span() {
        return span;
    }

    /** The span before the current one. */
    int before() {
        return before;
    }

    /** Goes on with the current operation at a time. */
    void goOnAt(double when) {
        time = when;
        machine.clock().at(when, this::goOn);
    }

    private void goOn() {
        time = machine.clock().now();
        Operation operation = cursor.current();
        while (operation != null) {
            if (time > machine.clock().now() && looksAround(operation)) {
                machine.clock().at(time, this::goOn);
                return;
            }
            span = log.open(cursor, false, time, before);
            if (!perform(operation)) {
                return;
            }
            operation = cursor.current();
        }
        machine.blockEnded();
    }

    /** Whether an operation depends on what others have done, or takes links. */
    private static boolean looksAround(Operation operation) {
        return !(operation instanceof Operation.Nop || operation instanceof Operation.Signal);
    }

    /** Begins an operation at {@code time}; false if the block is to be called again. */
    private boolean perform(Operation operation) {
        OrderCosts costs = machine.costs().order();
        switch (operation) {
            case Operation.Nop() -> end(time + costs.meeting(), 0);
            case Operation.Signal signal -> signal(signal);
            case Operation.SemaphoreRelease release -> release(release, time + costs.semaphore());
            case Operation.Wait wait -> {
                return await(wait);
            }
            case Operation.SemaphoreAcquire _ -> {
                taken = 0;
                return acquire();
            }
            case Operation.Barrier barrier -> {
                return meet(barrier);
            }
            case Operation.Flush flush -> {
                return flush(flush.channelIds());
            }
            case Operation.Data data -> {
                new DataRun(machine, this, data).begin();
                return false;
            }
            case Operation.Pipeline _ -> throw new IllegalStateException("pipelines are unrolled");
        }
        return true;
    }

    /** The operation ends; the next one may begin then. */
    private void end(double when, long bytes) {
        time = Clock.onGrid(when);
        log.close(span, time, bytes);
        before = span;
        cursor.advance();
    }

    /** The operation, whose end others have brought about, ends. */
    void endAndGoOn(double when, long bytes) {
        end(when, bytes);
        goOnAt(time);
    }

    private void signal(Operation.Signal signal) {
        OrderCosts costs = machine.costs().order();
        boolean relaxed = signal.relaxed() && !(machine.raisesSignals() && machine.isRaised(cursor.address()));
        boolean port = signal.channelType() == ChannelType.PORT;
        double cost = port ? machine.costs().operation() : relaxed ? costs.relaxedSignal() : costs.signal();
        double end = Clock.onGrid(time + cost);
        for (int id : signal.channelIds()) {
            int channel = block.channels(signal.channelType()).get(id);
            if (port) {
                int by = span;
                ProxyTask task = ProxyTask.signal(channel, openForProxy(end, by));
                machine.clock().at(end, () -> rank.proxy().handOver(task, by)); // not before: a flush may come first
            } else {
                machine.signal(rank, signal.channelType(), channel, end, span);
            }
        }
        end(end, 0);
    }

    private boolean await(Operation.Wait wait) {
        open = 0;
        for (int id : wait.channelIds()) {
            int channel = block.channels(wait.channelType()).get(id);
            if (!rank.counter(wait.channelType(), channel).await(this)) {
                open++;
            }
        }
        if (open > 0) {
            return false;
        }
        end(time + machine.costs().order().await(), 0);
        return true;
    }

    /** A signal that it waits for is there. */
    void signalled(int by, boolean waited) {
        log.depends(by, span, Dependency.Kind.SIGNAL);
        if (waited) {
            open--;
            if (open == 0) {
                wake(by, machine.costs().order().await());
            }
        }
    }

    private void wake(int by, double cost) {
        log.ready(span, machine.clock().now());
        log.cause(span, by);
        endAndGoOn(machine.clock().now() + cost, 0);
    }

    /** Takes semaphores, from the first that is missing on. */
    private boolean acquire() {
        if (!(cursor.current() instanceof Operation.SemaphoreAcquire acquire)) {
            throw new IllegalStateException(place());
        }
        List<Integer> ids = acquire.semaphoreIds();
        while (taken < ids.size()) {
            if (!rank.semaphore(ids.get(taken)).acquire(this)) {
                return false;
            }
            taken++;
        }
        end(Math.max(time, machine.clock().now()) + machine.costs().order().semaphore(), 0);
        return true;
    }

    /** A semaphore is taken. */
    void acquired(int by, boolean waited) {
        log.depends(by, span, Dependency.Kind.SEMAPHORE);
        if (waited) {
            log.ready(span, machine.clock().now());
            log.cause(span, by);
            taken++;
            if (acquire()) {
                goOnAt(time);
            }
        }
    }

    private void release(Operation.SemaphoreRelease release, double end) {
        int by = span;
        for (int id : release.semaphoreIds()) {
            machine.clock().at(end, () -> rank.semaphore(id).release(by));
        }
        end(end, 0);
    }

    private boolean meet(Operation.Barrier barrier) {
        List<BlockRun> met = rank.barrier(barrier.id());
        met.add(this);
        if (met.size() < barrier.threadBlocks()) {
            return false;
        }
        List<BlockRun> all = List.copyOf(met);
        met.clear();
        for (BlockRun other : all) {
            if (other != this) {
                log.depends(before, other.span, Dependency.Kind.BARRIER);
                other.wake(before, machine.costs().order().barrier());
            }
        }
        end(time + machine.costs().order().barrier(), 0);
        return true;
    }

    /** Waits until proxies have read what was put. */
    private boolean flush(List<Integer> channelIds) {
        open = 0;
        for (int id : channelIds) {
            if (!rank.proxy().await(block.portChannels().get(id), this)) {
                open++;
            }
        }
        if (open > 0) {
            return false;
        }
        end(time + machine.costs().operation(), 0);
        return true;
    }

    /** Ends a put by waiting until proxies have read what was put. */
    void flushAndGoOn(List<Integer> channelIds) {
        time = machine.clock().now();
        if (flush(channelIds)) {
            goOnAt(time);
        }
    }

    /** What it has put on a channel has been read. */
    void flushed(int by, boolean waited) {
        log.depends(by, span, Dependency.Kind.PROXY);
        if (waited) {
            open--;
            if (open == 0) {
                wake(by, machine.costs().operation());
            }
        }
    }

    /** Waits for packets. */
    void waitForPackets(DataRun run) {
        data = run;
    }

    /** Packets that it waits for are all there. */
    void packetsAreThere(int by) {
        if (data == null) {
            throw new IllegalStateException(place() + " waits for no packets");
        }
        log.ready(span, machine.clock().now());
        log.cause(span, by);
        data.packetsAreThere();
    }

    /**
     * Logs that the current operation is handed over to a proxy.
     *
     * @param by the span before that
     */
    int openForProxy(double when, int by) {
        return log.open(cursor, true, when, by);
    }

    /** The place and the operation, for messages. */
    String place() {
        Operation operation = cursor.current();
        RankPlan plan = rank.plan();
        return operation == null
                ? "rank " + rank.rank() + ", block " + block.id() + " (at its end)"
                : cursor.address() + " (" + new OperationText(plan, block).of(operation) + ")";
    }
}
