package org.mscclj.plan.simulate;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.simulate.flow.Clock;
import org.mscclj.plan.simulate.topology.OrderCosts;
import org.mscclj.plan.text.OperationText;
import org.mscclj.plan.walk.BlockCursor;

/**
 * One thread block on its way through its operations. It runs ahead of the clock as long as what it does concerns
 * nobody else, or only the future, and waits for the clock before it looks at what others have done.
 */
final class BlockRun {
    private final Machine machine;
    private final RankRun rank;
    private final BlockView view;
    private final BlockCursor cursor;
    private final SpanLog log;

    /** Until when it is busy. */
    private double time;

    /** The span that it is in, and the one before. */
    private int span = SpanLog.NONE;

    private int before = SpanLog.NONE;

    /** What it waits for. */
    private @Nullable Pending pending;

    BlockRun(Machine machine, RankRun rank, ThreadBlock block) {
        this.machine = machine;
        this.rank = rank;
        this.view = new BlockView(rank.plan(), block);
        this.cursor = new BlockCursor(rank.rank(), block, machine::iterations);
        this.log = machine.log();
    }

    RankRun rank() {
        return rank;
    }

    BlockView view() {
        return view;
    }

    BlockCursor cursor() {
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
        return switch (operation) {
            case Operation.Nop() -> end(time + costs.meeting(), 0);
            case Operation.Signal signal -> end(new SignalSend(machine, this, signal).send(time), 0);
            case Operation.SemaphoreRelease release -> end(release(release, time + costs.semaphore()), 0);
            case Operation.Wait wait -> await(wait);
            case Operation.Flush flush -> flush(flush.channelIds());
            case Operation.SemaphoreAcquire acquire -> {
                SemaphoreWait wait = new SemaphoreWait(this, rank, acquire.semaphoreIds(), costs.semaphore());
                yield wait.take() ? end(time + costs.semaphore(), 0) : waitFor(wait);
            }
            case Operation.Barrier barrier -> {
                Meeting meeting = rank.meeting(barrier.id());
                yield meeting.arrive(this, barrier.threadBlocks(), costs.barrier())
                        ? end(time + costs.barrier(), 0)
                        : waitFor(new BarrierWait(meeting, barrier.threadBlocks()));
            }
            case Operation.Data data -> {
                new DataRun(machine, this, data).begin();
                yield false;
            }
            case Operation.Pipeline _ -> throw new IllegalStateException("pipelines are unrolled");
        };
    }

    /** The operation ends; the next one may begin then. */
    private boolean end(double when, long bytes) {
        time = Clock.onGrid(when);
        log.close(span, time, bytes);
        before = span;
        machine.operationEnded();
        cursor.advance();
        return true;
    }

    /** The operation, whose end others have brought about, ends. */
    void endAndGoOn(double when, long bytes) {
        end(when, bytes);
        goOnAt(time);
    }

    private double release(Operation.SemaphoreRelease release, double end) {
        int by = span;
        for (int id : release.semaphoreIds()) {
            machine.clock().at(end, () -> rank.semaphore(id).release(by));
        }
        return end;
    }

    private boolean await(Operation.Wait operation) {
        ChannelWait wait = new ChannelWait(
                this, Dependency.Kind.SIGNAL, machine.costs().order().await());
        for (int id : operation.channelIds()) {
            wait.add(rank.counter(operation.channelType(), view.channel(operation.channelType(), id)));
        }
        return endOrWait(wait);
    }

    /** Waits until proxies have read what was put. */
    private boolean flush(List<Integer> channelIds) {
        ChannelWait wait =
                new ChannelWait(this, Dependency.Kind.PROXY, machine.costs().operation());
        for (int id : channelIds) {
            wait.add(rank.proxy().channel(view.channel(ChannelType.PORT, id)));
        }
        return endOrWait(wait);
    }

    private boolean endOrWait(ChannelWait wait) {
        return wait.isOver() ? end(time + wait.cost(), 0) : waitFor(wait);
    }

    /** Ends a put by waiting until proxies have read what was put. */
    void flushAndGoOn(List<Integer> channelIds) {
        time = machine.clock().now();
        if (flush(channelIds)) {
            goOnAt(time);
        }
    }

    /** Waits; what it waits for will say when it goes on. */
    boolean waitFor(Pending what) {
        pending = what;
        return false;
    }

    /** What it waited for has come last by a span. */
    void woken(int by) {
        pending = null;
        log.ready(span, machine.clock().now());
        log.cause(span, by);
    }

    /** The operation, of which all that it waited for has come last by a span, ends after what it costs. */
    void resume(int by, double cost) {
        woken(by);
        endAndGoOn(machine.clock().now() + cost, 0);
    }

    /** The current operation waits for a span, or could have. */
    void dependsOn(int by, Dependency.Kind kind) {
        log.depends(by, span, kind);
    }

    /**
     * Logs that the current operation is handed over to a proxy.
     *
     * @param by the span before that
     */
    int openForProxy(double when, int by) {
        return log.open(cursor, true, when, by);
    }

    /** Where it waits and for what, in words; empty if it does not wait. */
    Optional<String> waiting() {
        return Optional.ofNullable(pending).map(what -> place() + " waits " + what.describe());
    }

    private String place() {
        Operation operation = cursor.current();
        return operation == null
                ? "rank " + rank.rank() + ", block " + view.block().id() + " (at its end)"
                : cursor.address() + " (" + new OperationText(view.rank(), view.block()).of(operation) + ")";
    }
}
