package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.plan.Operation;

/**
 * Fuses adjacent steps as MSCCL++'s DSL does: signals, waits and similar operations of one kind into one over several
 * channels, data operations by {@link DataFusion}. It also drops a synchronisation next to another one.
 */
final class Fusion {
    private final ChunkRanges ranges;
    private final FusionLimits limits;
    private final DataFusion data;

    Fusion(ChunkRanges ranges, FusionLimits limits) {
        this.ranges = ranges;
        this.limits = limits;
        this.data = new DataFusion(ranges, limits);
    }

    /** The result for two adjacent steps: one step, or two of which one may have lost a synchronisation. */
    private record Outcome(Optional<BlockStep> first, BlockStep second) {
        static Outcome fused(BlockStep step) {
            return new Outcome(Optional.empty(), step);
        }

        static Outcome kept(BlockStep first, BlockStep second) {
            return new Outcome(Optional.of(first), second);
        }
    }

    /** Fuses greedily from the first step on. */
    List<BlockStep> fuse(List<BlockStep> steps) {
        return twoByTwo(TransferRuns.join(steps, ranges, limits));
    }

    /** The same, without the fast path for many transfers. */
    List<BlockStep> twoByTwo(List<BlockStep> steps) {
        List<BlockStep> fused = new ArrayList<>();
        for (BlockStep step : steps) {
            BlockStep next = step instanceof BlockStep.Loop loop
                    ? new BlockStep.Loop(loop.unitSize(), loop.chunks(), fuse(loop.steps()))
                    : step;
            append(fused, next);
        }
        return fused;
    }

    /**
     * A fused step may begin with a synchronisation that not all of its parts had, and with which the step before
     * already ends.
     */
    private void append(List<BlockStep> fused, BlockStep next) {
        if (fused.isEmpty()) {
            fused.add(next);
            return;
        }
        Outcome outcome = combine(fused.removeLast(), next);
        if (outcome.first.isEmpty()) {
            append(fused, outcome.second);
        } else {
            fused.add(outcome.first.get());
            fused.add(outcome.second);
        }
    }

    private Outcome combine(BlockStep first, BlockStep second) {
        if (first.isSync() || first instanceof BlockStep.Loop) {
            return afterSync(first, second);
        }
        BlockStep.Run run = (BlockStep.Run) first;
        if (second instanceof BlockStep.Run next) {
            Optional<Operation> fused = fuse(run.operation(), next.operation());
            if (fused.isPresent()) {
                return Outcome.fused(new BlockStep.Run(
                        fused.get(), run.syncBefore() || next.syncBefore(), run.syncAfter() || next.syncAfter()));
            }
        }
        return second.beginsWithSync() ? Outcome.kept(run.withoutSyncAfter(), second) : Outcome.kept(run, second);
    }

    /** Drops the second of two adjacent synchronisations. */
    private static Outcome afterSync(BlockStep first, BlockStep second) {
        if (isNop(first) && second.beginsWithSync() && (second.isSync() || second instanceof BlockStep.Loop)) {
            return Outcome.fused(second);
        }
        if (first.endsWithSync()) {
            if (isNop(second)) {
                return Outcome.fused(first);
            }
            if (second instanceof BlockStep.Run run) {
                return Outcome.kept(first, run.withoutSyncBefore());
            }
        }
        return Outcome.kept(first, second);
    }

    private static boolean isNop(BlockStep step) {
        return step instanceof BlockStep.Run run && run.operation() instanceof Operation.Nop;
    }

    private Optional<Operation> fuse(Operation first, Operation second) {
        if (first instanceof Operation.Signal a
                && second instanceof Operation.Signal b
                && a.channelType() == b.channelType()
                && a.relaxed() == b.relaxed()) {
            return together(a.channelIds(), b.channelIds())
                    .map(ids -> new Operation.Signal(a.channelType(), ids, a.relaxed()));
        }
        if (first instanceof Operation.Wait a
                && second instanceof Operation.Wait b
                && a.channelType() == b.channelType()
                && a.relaxed() == b.relaxed()) {
            return together(a.channelIds(), b.channelIds())
                    .map(ids -> new Operation.Wait(a.channelType(), ids, a.relaxed()));
        }
        if (first instanceof Operation.Flush a
                && second instanceof Operation.Flush b
                && a.channelType() == b.channelType()) {
            return together(a.channelIds(), b.channelIds()).map(ids -> new Operation.Flush(a.channelType(), ids));
        }
        if (first instanceof Operation.SemaphoreAcquire a && second instanceof Operation.SemaphoreAcquire b) {
            return together(a.semaphoreIds(), b.semaphoreIds()).map(Operation.SemaphoreAcquire::new);
        }
        if (first instanceof Operation.SemaphoreRelease a && second instanceof Operation.SemaphoreRelease b) {
            return together(a.semaphoreIds(), b.semaphoreIds()).map(Operation.SemaphoreRelease::new);
        }
        if (first instanceof Operation.Data a && second instanceof Operation.Data b) {
            return data.fuse(a, b).map(both -> both);
        }
        return Optional.empty();
    }

    /** The ids of both operations, if they are distinct and within the limit. */
    private Optional<List<Integer>> together(List<Integer> first, List<Integer> second) {
        List<Integer> both = Stream.concat(first.stream(), second.stream()).toList();
        return both.size() <= limits.ids() && both.stream().distinct().count() == both.size()
                ? Optional.of(both)
                : Optional.empty();
    }
}
