package org.mscclj.plan.pass;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;

/**
 * Cuts reductions of more operands than there is room for: each part goes on from the result of the one before, after a
 * meeting of the block's threads. The order of operands stays, unless the destination is one of them, and not within
 * the first part: then it comes first, before it is overwritten.
 */
final class ReductionCuts {
    private final Places places;
    private final int most;

    private ReductionCuts(Places places, FusionLimits limits) {
        this.places = places;
        this.most = limits.references();
    }

    static List<Step> cut(List<Step> steps, Places places, FusionLimits limits) {
        return new ReductionCuts(places, limits).cut(steps);
    }

    private List<Step> cut(List<Step> steps) {
        List<Step> all = new ArrayList<>();
        for (Step step : steps) {
            switch (step) {
                case Step.Loop loop -> all.add(new Step.Loop(loop.unitSize(), loop.chunks(), cut(loop.steps())));
                case Step.Run(Operation.Data data, boolean before, boolean after)
                when data.kind().reduces() && data.sources().size() > most -> all.addAll(parts(data, before, after));
                case Step.Run run -> all.add(run);
            }
        }
        return all;
    }

    /** A program's own reductions have one destination; those with more come from fusion. */
    private List<Step> parts(Operation.Data data, boolean before, boolean after) {
        ChunkRef result = data.destinations().getFirst();
        List<ChunkRef> sources = overwrittenEarly(data.sources(), result);
        List<Step> parts = new ArrayList<>();
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
            parts.add(new Step.Run(operation, !first || before, to == sources.size() && after));
            from = to;
        }
        return parts;
    }

    private List<ChunkRef> overwrittenEarly(List<ChunkRef> sources, ChunkRef result) {
        if (sources.stream().skip(most).noneMatch(source -> places.overlap(source, result))) {
            return sources;
        }
        return Stream.concat(
                        sources.stream().filter(source -> places.overlap(source, result)),
                        sources.stream().filter(source -> !places.overlap(source, result)))
                .toList();
    }
}
