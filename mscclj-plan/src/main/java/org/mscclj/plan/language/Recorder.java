package org.mscclj.plan.language;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pass.Step;

/** Keeps what a definition says until it is complete. */
final class Recorder {
    /** Signals of one rank for another, or waits of the other for them. */
    private record Pair(ChannelType type, int from, int to) {}

    private record BlockKey(int rank, int block) {}

    private record OpenLoop(long unitBytes, int chunks, Map<BlockKey, List<Step>> blocks) {}

    private final AlgoSpec spec;
    private final List<RankRecord> ranks;
    private final Map<Pair, Integer> signals = new LinkedHashMap<>();
    private final Map<Pair, Integer> waits = new LinkedHashMap<>();
    private final Map<BlockKey, SwitchReduction> reductions = new LinkedHashMap<>();
    private @Nullable OpenLoop loop;
    private boolean finished;

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
        if (finished) {
            throw misuse("rank " + rank + " is used after the definition has ended; allowed: only within it");
        }
        return ranks.get(rank);
    }

    /** Adds a step to a block. */
    void add(int rank, int block, Step step) {
        BlockKey key = new BlockKey(rank, requireBlock(rank, block));
        SwitchReduction pending = reductions.get(key);
        if (pending != null) {
            throw misuse(pending.withoutBroadcast(rank, block));
        }
        List<Step> steps = rank(rank).block(block);
        if (loop != null) {
            steps = loop.blocks.computeIfAbsent(key, _ -> new ArrayList<>());
        }
        steps.add(step);
    }

    void add(int rank, int block, Operation operation, SyncType sync) {
        add(rank, block, new Step.Run(operation, sync.before(), sync.after()));
    }

    private int requireBlock(int rank, int block) {
        if (block < 0) {
            throw misuse("rank " + rank + ", block " + block + "; allowed: ids from 0 on");
        }
        return block;
    }

    /** A reduction through a switch, which the next operation of the block must store. */
    void reduceThroughSwitch(int rank, int block, SwitchReduction reduction) {
        BlockKey key = new BlockKey(rank, requireBlock(rank, block));
        SwitchReduction pending = reductions.putIfAbsent(key, reduction);
        if (pending != null) {
            throw misuse(pending.withoutBroadcast(rank, block));
        }
        rank(rank).block(block);
    }

    /** The reduction through a switch that the block has just said, if any. */
    Optional<SwitchReduction> takeReduction(int rank, int block) {
        return Optional.ofNullable(reductions.remove(new BlockKey(rank, block)));
    }

    void signalled(ChannelType type, int from, int to) {
        signals.merge(new Pair(type, from, to), 1, Integer::sum);
    }

    void awaited(ChannelType type, int from, int by) {
        waits.merge(new Pair(type, from, by), 1, Integer::sum);
    }

    void beginLoop(long unitBytes, int chunks) {
        if (loop != null) {
            throw misuse("a pipeline within a pipeline; allowed: pipelines that do not nest");
        }
        loop = new OpenLoop(unitBytes, chunks, new LinkedHashMap<>());
    }

    void endLoop() {
        OpenLoop ended = loop;
        loop = null;
        if (ended != null) {
            ended.blocks.forEach(
                    (key, steps) -> add(key.rank, key.block, new Step.Loop(ended.unitBytes, ended.chunks, steps)));
        }
    }

    /** Checks what only the whole shows. */
    void finish() {
        reductions.forEach((key, pending) -> {
            throw misuse(pending.withoutBroadcast(key.rank, key.block));
        });
        Map<Pair, Integer> pairs = new LinkedHashMap<>(signals);
        pairs.putAll(waits);
        for (Pair pair : pairs.keySet()) {
            int sent = signals.getOrDefault(pair, 0);
            int awaited = waits.getOrDefault(pair, 0);
            if (sent != awaited) {
                throw misuse("rank " + pair.from + " signals rank " + pair.to + " " + times(sent) + " over "
                        + pair.type.label() + " channels, and rank " + pair.to + " waits for it " + times(awaited)
                        + "; allowed: a wait for each signal");
            }
        }
        finished = true;
    }

    private static String times(int count) {
        return count == 1 ? "once" : count + " times";
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
    List<List<List<Step>>> steps() {
        return ranks.stream().map(RankRecord::steps).toList();
    }

    InvalidArgumentException misuse(String message) {
        return new InvalidArgumentException("program " + spec.name() + ": " + message);
    }
}
