package org.mscclj.language;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.language.balance.BarrierBalance;
import org.mscclj.language.balance.Iterations;
import org.mscclj.language.balance.SemaphoreBalance;
import org.mscclj.language.balance.SignalBalance;
import org.mscclj.language.pass.BlockStep;
import org.mscclj.language.pass.InstanceRanges;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;

/** Records a definition until it is complete. */
final class Recorder {
    /**
     * Engines keep counters for each block, and blocks of a launch run concurrently, so a larger number can only be a
     * mistake.
     */
    private static final int MAX_BLOCKS = 65_536;

    private record BlockKey(int rank, int block) {}

    /** Pipelines are compared by identity: two are never equal, even over equal numbers of chunks. */
    private static final class OpenLoop {
        private final long unitBytes;
        private final int chunks;
        private final Map<BlockKey, List<BlockStep>> blocks = new LinkedHashMap<>();

        OpenLoop(long unitBytes, int chunks) {
            this.unitBytes = unitBytes;
            this.chunks = chunks;
        }
    }

    /** A reduction that waits for its broadcast, and the pipeline in which it was recorded. */
    private record Pending(
            PendingReduction reduction, @Nullable OpenLoop loop) {}

    /** An operation that is divided among the instances. */
    private record Replicated(int rank, Operation.Data data, SourceLine line) {}

    private final AlgoSpec spec;
    private final List<RankRecord> ranks;
    private final Thread owner = Thread.currentThread();
    private final SignalBalance signals = new SignalBalance(SourceLine::current);
    private final SemaphoreBalance semaphores = new SemaphoreBalance(SourceLine::current);
    private final BarrierBalance barriers = new BarrierBalance(SourceLine::current);
    private final Map<BlockKey, Pending> reductions = new LinkedHashMap<>();
    private final List<Replicated> replicated = new ArrayList<>();
    private @Nullable OpenLoop loop;
    private boolean ended;

    Recorder(AlgoSpec spec) {
        this.spec = spec;
        this.ranks = IntStream.range(0, spec.worldSize())
                .mapToObj(rank -> new RankRecord(rank, spec.collective()))
                .toList();
    }

    AlgoSpec spec() {
        return spec;
    }

    RankRecord rank(int rank) {
        if (!isOpen()) {
            requireOpen("rank " + rank);
        }
        return ranks.get(rank);
    }

    private boolean isOpen() {
        return !ended && Thread.currentThread().equals(owner);
    }

    /** Requires that the definition is still running, on this thread. */
    void requireOpen(String what) {
        if (ended) {
            throw misuse(what + " is used after the definition has ended; allowed: only within it");
        }
        if (!Thread.currentThread().equals(owner)) {
            throw misuse(what + " is used by thread " + Thread.currentThread().getName()
                    + "; allowed: only the thread that runs the definition, " + owner.getName());
        }
    }

    /** Adds a step to a block. */
    void add(int rank, int block, BlockStep step) {
        BlockKey key = new BlockKey(rank, requireBlock(rank, block));
        Pending pending = reductions.get(key);
        if (pending != null) {
            throw misuse(pending.reduction.withoutBroadcast(rank, block));
        }
        List<BlockStep> steps = rank(rank).block(block);
        if (loop != null) {
            steps = loop.blocks.computeIfAbsent(key, _ -> new ArrayList<>());
        }
        steps.add(step);
        if (spec.instances() > 1 && step instanceof BlockStep.Run(Operation.Data data, boolean _, boolean _)) {
            replicated.add(new Replicated(rank, data, SourceLine.current()));
        }
    }

    void add(int rank, int block, Operation operation, SyncType sync) {
        add(rank, block, new BlockStep.Run(operation, sync.before(), sync.after()));
    }

    int requireBlock(int rank, int block) {
        int most = MAX_BLOCKS / spec.instances();
        if (block < 0 || block >= most) {
            throw misuse("rank " + rank + ", block " + block + "; allowed: ids 0 to " + (most - 1));
        }
        return block;
    }

    /** Records a reduction through a switch, whose result the next operation of the block must store. */
    void reduceThroughSwitch(int rank, int block, PendingReduction reduction) {
        BlockKey key = new BlockKey(rank, requireBlock(rank, block));
        Pending pending = reductions.putIfAbsent(key, new Pending(reduction, loop));
        if (pending != null) {
            throw misuse(pending.reduction.withoutBroadcast(rank, block));
        }
        rank(rank).block(block);
    }

    /** The reduction through a switch that the block recorded last, if any. */
    Optional<PendingReduction> takeReduction(int rank, int block) {
        Pending pending = reductions.remove(new BlockKey(rank, block));
        if (pending == null) {
            return Optional.empty();
        }
        if (!Objects.equals(pending.loop, loop)) {
            throw misuse(pending.reduction.withoutBroadcast(rank, block));
        }
        return Optional.of(pending.reduction);
    }

    void signalled(ChannelEnd end, int block) {
        signals.signalled(end.type(), end.rank(), end.peer(), end.number(), block, often());
    }

    void awaited(ChannelEnd end, int block) {
        signals.awaited(end.type(), end.peer(), end.rank(), end.number(), block, often());
    }

    int addSemaphore(int rank, int initialValue) {
        int id = rank(rank).addSemaphore(initialValue);
        semaphores.added(rank, id, initialValue);
        return id;
    }

    void acquired(int rank, int id, int block) {
        semaphores.acquired(rank, id, block, often());
    }

    void released(int rank, int id, int block) {
        semaphores.released(rank, id, block, often());
    }

    /** Records the arrival of one of several members at a barrier. */
    void arrived(int rank, int barrier, List<Integer> members, int block) {
        barriers.arrived(rank, barrier, members, block, often());
    }

    private Iterations often() {
        return loop == null ? Iterations.ONE : Iterations.of(loop.unitBytes, loop.chunks);
    }

    void beginLoop(long unitBytes, int chunks) {
        requireOpen("a pipeline");
        if (loop != null) {
            throw misuse("a pipeline within a pipeline; allowed: pipelines that do not nest");
        }
        loop = new OpenLoop(unitBytes, chunks);
    }

    /** Checks the conditions on a whole pipeline. */
    void requireCompleteLoop() {
        reductions.forEach((key, pending) -> {
            if (loop != null && loop.equals(pending.loop)) {
                throw misuse(pending.reduction.withoutBroadcast(key.rank, key.block));
            }
        });
    }

    void endLoop() {
        OpenLoop closed = loop;
        if (closed == null) {
            return;
        }
        loop = null;
        closed.blocks.forEach((key, steps) ->
                rank(key.rank).block(key.block).add(new BlockStep.Loop(closed.unitBytes, closed.chunks, steps)));
    }

    /** Checks the conditions on the whole program. */
    void requireComplete() {
        reductions.forEach((key, pending) -> {
            throw misuse(pending.reduction.withoutBroadcast(key.rank, key.block));
        });
        signals.fault().or(semaphores::fault).or(barriers::fault).ifPresent(fault -> {
            throw misuse(fault);
        });
        requireEqualRanges();
    }

    private void requireEqualRanges() {
        if (replicated.isEmpty()) {
            return;
        }
        InstanceRanges<SourceLine> ranges = new InstanceRanges<>(declarations());
        replicated.forEach(operation -> ranges.add(operation.rank, operation.data, operation.line));
        ranges.conflict().ifPresent(conflict -> {
            throw misuse(
                    "with " + spec.instances() + " instances, the " + conflict.one() + ", at " + conflict.oneWhere()
                            + ", and the " + conflict.other() + ", at " + conflict.otherWhere()
                            + ", overlap and are not equal: each range is split separately, so one instance would"
                            + " use chunks that another one"
                            + " writes, with no order between them; allowed: ranges that are equal or have no"
                            + " chunk in common,"
                            + " for example one chunk at a time in both");
        });
    }

    /** Ends the recording. */
    void end() {
        ended = true;
    }

    Plan declarations() {
        return new Plan(
                spec.name(),
                spec.collective().type(),
                spec.protocol(),
                spec.collective().inPlace(),
                spec.reuseResources(),
                spec.threadsPerBlock(),
                spec.doubleScratch(),
                spec.bufferAlignment(),
                spec.minMessageSize(),
                spec.maxMessageSize(),
                ranks.stream().map(RankRecord::declarations).toList());
    }

    /** The steps of each rank's blocks. */
    List<List<List<BlockStep>>> steps() {
        return ranks.stream().map(RankRecord::steps).toList();
    }

    InvalidArgumentException misuse(String message) {
        return new InvalidArgumentException("program " + PlainText.escape(spec.name()) + ": " + message);
    }
}
