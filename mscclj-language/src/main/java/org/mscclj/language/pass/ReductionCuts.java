package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;

/**
 * Splits reductions with more operands than the limit: each part continues from the result of the one before, after a
 * synchronisation of the block's threads. The order of operands remains, unless the destination is an operand outside
 * of the first part: then it comes first, before it is overwritten. Programs with limits state no places of plain
 * operands.
 */
final class ReductionCuts {
    private final ChunkRanges ranges;
    private final int most;

    private ReductionCuts(ChunkRanges ranges, FusionLimits limits) {
        this.ranges = ranges;
        this.most = limits.references();
    }

    static List<BlockStep> cut(List<BlockStep> steps, ChunkRanges ranges, FusionLimits limits) {
        return new ReductionCuts(ranges, limits).cut(steps);
    }

    private List<BlockStep> cut(List<BlockStep> steps) {
        List<BlockStep> all = new ArrayList<>();
        for (BlockStep step : steps) {
            switch (step) {
                case BlockStep.Loop loop ->
                    all.add(new BlockStep.Loop(loop.unitSize(), loop.chunks(), cut(loop.steps())));
                case BlockStep.Run(Operation.Data data, boolean before, boolean after)
                when data.kind().reduces() && data.sources().size() > most -> all.addAll(parts(data, before, after));
                case BlockStep.Run run -> all.add(run);
            }
        }
        return all;
    }

    /** Reductions of programs have one destination; only fusion produces more. */
    private List<BlockStep> parts(Operation.Data data, boolean before, boolean after) {
        if (data.plainPlace().isPresent()) {
            throw new IllegalStateException("a cut would move the plain operand of " + data);
        }
        ChunkRef result = data.destinations().getFirst();
        List<ChunkRef> sources = overwrittenEarly(data.sources(), result);
        List<BlockStep> parts = new ArrayList<>();
        for (int from = 0; from < sources.size(); ) {
            boolean first = from == 0;
            int to = Math.min(sources.size(), from + (first ? most : most - 1));
            List<ChunkRef> part = new ArrayList<>(first ? List.of() : List.of(result));
            part.addAll(sources.subList(from, to));
            Operation.Data operation = new Operation.Data(
                    data.kind(),
                    data.channelType(),
                    data.channelIds(),
                    part,
                    data.destinations(),
                    data.share(),
                    data.reduceOp());
            parts.add(new BlockStep.Run(operation, !first || before, to == sources.size() && after));
            from = to;
        }
        return parts;
    }

    private List<ChunkRef> overwrittenEarly(List<ChunkRef> sources, ChunkRef result) {
        if (sources.stream().skip(most).noneMatch(source -> ranges.overlap(source, result))) {
            return sources;
        }
        return Stream.concat(
                        sources.stream().filter(source -> ranges.overlap(source, result)),
                        sources.stream().filter(source -> !ranges.overlap(source, result)))
                .toList();
    }
}
