package org.mscclj.analysis.simulate;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.simulate.flow.Clock;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.analysis.simulate.topology.OrderCosts;
import org.mscclj.analysis.walk.BlockCursor;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.text.OperationText;

/**
 * The progress of one thread block through its operations. The block advances ahead of the clock while its operations
 * depend on no other block; before an operation that does, it waits until the clock reaches its time.
 */
final class SimulatedBlock {
    private final SimulatedMachine machine;
    private final SimulatedRank rank;
    private final BlockView view;
    private final BlockCursor cursor;
    private final SpanLog log;

    private final long turns;

    /** How often the block has carried out all of its operations. */
    private long turn;

    /** Whether an operation of this turn has awaited packets. */
    private boolean awaited;

    /** The time until which the block is busy. */
    private double time;

    /** The current span and the one before. */
    private int span = SpanLog.NONE;

    private int before = SpanLog.NONE;

    /** What the block waits for; null while it runs. */
    private @Nullable Pending pending;

    SimulatedBlock(SimulatedMachine machine, SimulatedRank rank, ThreadBlock block) {
        this.machine = machine;
        this.rank = rank;
        this.view = new BlockView(rank.plan(), block);
        this.cursor = new BlockCursor(rank.rank(), block, machine::iterations);
        this.turns = machine.turns(block);
        this.log = machine.log();
    }

    SimulatedRank rank() {
        return rank;
    }

    BlockView view() {
        return view;
    }

    BlockCursor cursor() {
        return cursor;
    }

    /** The turn of a fused block, from 0. */
    long turn() {
        return turn;
    }

    int span() {
        return span;
    }

    /** The span before the current one. */
    int before() {
        return before;
    }

    /** Schedules the rest of the operations for a time. */
    void advanceAt(double when) {
        time = when;
        machine.clock().at(when, this::advance);
    }

    private void advance() {
        time = machine.clock().now();
        Operation operation = next();
        while (operation != null) {
            if (time > machine.clock().now() && dependsOnOthers(operation)) {
                machine.clock().at(time, this::advance);
                return;
            }
            span = log.open(cursor, iteration(), false, time, before);
            if (!perform(operation)) {
                return;
            }
            operation = next();
        }
        machine.blockEnded();
    }

    /** The next operation, of this turn or the next one; null at the end. */
    private @Nullable Operation next() {
        Operation operation = cursor.current();
        if (operation == null && turn + 1 < turns) {
            turn++;
            awaited = false;
            cursor.restart();
            operation = cursor.current();
        }
        return operation;
    }

    /**
     * Nanoseconds of a data operation before its first byte. A fused block reacts to packets that it awaits together
     * once; if they are lines, in its first turn only, since each warp goes on by itself in later ones.
     *
     * @param awaits whether the operation awaits packets
     * @param waited whether it had to wait for them
     */
    double before(boolean awaits, boolean waited) {
        if (machine.fused().isEmpty()) {
            return machine.costs().operation();
        }
        boolean laterLines = turn > 0 && machine.fused().get().lines();
        boolean reacts = awaits && !laterLines && (waited || !awaited);
        awaited |= awaits;
        return reacts ? machine.fusedCosts().reaction() : 0;
    }

    /** Whether an operation depends on other blocks, or uses links. */
    private static boolean dependsOnOthers(Operation operation) {
        return !(operation instanceof Operation.Nop || operation instanceof Operation.Signal);
    }

    /** Begins an operation at {@code time}; false if the block must be called again. */
    private boolean perform(Operation operation) {
        OrderCosts costs = machine.costs().order();
        return switch (operation) {
            case Operation.Nop() -> end(time + (machine.fused().isPresent() ? 0 : costs.threadSync()), 0);
            case Operation.Signal signal -> end(new SignalSend(machine, this, signal).send(time), 0);
            case Operation.SemaphoreRelease release -> end(release(release, time + costs.semaphore()), 0);
            case Operation.Wait wait -> await(wait);
            case Operation.Flush flush -> flush(flush.channelIds());
            case Operation.SemaphoreAcquire acquire -> {
                SemaphoreWait wait = new SemaphoreWait(this, rank, acquire.semaphoreIds(), costs.semaphore());
                yield wait.take() ? end(time + costs.semaphore(), 0) : waitFor(wait);
            }
            case Operation.Barrier barrier -> {
                SimulatedBarrier sync = rank.barrier(barrier.id());
                yield sync.arrive(this, barrier.threadBlocks(), costs.barrier())
                        ? end(time + costs.barrier(), 0)
                        : waitFor(new BarrierWait(sync, barrier.threadBlocks()));
            }
            case Operation.Data data -> {
                new DataRun(machine, this, data).begin();
                yield false;
            }
            case Operation.Pipeline _ -> throw new IllegalStateException("pipelines are unrolled");
        };
    }

    /** Ends the operation; the next one may begin at that time. */
    private boolean end(double when, long bytes) {
        time = Clock.onGrid(when);
        log.close(span, time, bytes);
        before = span;
        machine.operationEnded();
        cursor.advance();
        return true;
    }

    /** Ends an operation whose end depended on others. */
    void endAndAdvance(double when, long bytes) {
        end(when, bytes);
        advanceAt(time);
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

    /** Waits until the proxies have read the sources of all puts. */
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

    /** Ends a put when the proxies have read its source. */
    void flushAndAdvance(List<Integer> channelIds) {
        time = machine.clock().now();
        if (flush(channelIds)) {
            advanceAt(time);
        }
    }

    /** Suspends the block; the pending condition resumes it. */
    boolean waitFor(Pending what) {
        pending = what;
        return false;
    }

    /** Records the span of the last arrival that the block waited for. */
    void woken(int by) {
        pending = null;
        log.ready(span, machine.clock().now());
        log.cause(span, by);
    }

    /** Ends the operation, whose last awaited arrival came from a span, after its own cost. */
    void resume(int by, double cost) {
        woken(by);
        endAndAdvance(machine.clock().now() + cost, 0);
    }

    /** Records that the current operation waits for a span, or could have waited. */
    void dependsOn(int by, Dependency.Kind kind) {
        log.depends(by, span, kind);
    }

    /**
     * Logs that the current operation is handed to a proxy.
     *
     * @param by the preceding span
     */
    int openForProxy(double when, int by) {
        return log.open(cursor, iteration(), true, when, by);
    }

    private long iteration() {
        return turn + cursor.iteration(); // fused blocks have no pipelines
    }

    /** Describes where the block waits and for what; empty if it does not wait. */
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
