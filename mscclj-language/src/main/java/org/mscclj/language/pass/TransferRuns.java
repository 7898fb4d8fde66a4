package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;

/**
 * Fuses runs of puts, or of gets, with the same result as {@link DataFusion} applied pairwise. The time is linear in
 * the length of a run; pairwise fusion is quadratic.
 */
final class TransferRuns {
    private record Memory(int rank, BufferType buffer) {}

    private final ChunkRanges ranges;
    private final FusionLimits limits;
    private final List<BlockStep> joined = new ArrayList<>();
    private final List<Operation.Data> run = new ArrayList<>();

    /** The destinations of the run: for each memory, the end of each range by its start. */
    private final Map<Memory, NavigableMap<Integer, Integer>> stored = new HashMap<>();

    /**
     * Whether the puts follow a reduction, which may store to their destinations itself; such puts are left unchanged.
     */
    private boolean afterReduction;

    private int references;
    private int ids;

    private TransferRuns(ChunkRanges ranges, FusionLimits limits) {
        this.ranges = ranges;
        this.limits = limits;
    }

    static List<BlockStep> join(List<BlockStep> steps, ChunkRanges ranges, FusionLimits limits) {
        TransferRuns runs = new TransferRuns(ranges, limits);
        steps.forEach(runs::add);
        runs.end();
        return runs.joined;
    }

    private void add(BlockStep step) {
        Optional<Operation.Data> transfer = transfer(step);
        if (transfer.isEmpty() || afterReduction) {
            end();
            joined.add(step);
            afterReduction = reduces(step) || (afterReduction && transfer.isPresent());
            return;
        }
        if (!fits(transfer.get())) {
            end();
        }
        Operation.Data data = transfer.get();
        run.add(data);
        data.destinations()
                .forEach(destination -> ranges.of(destination)
                        .forEach(range -> ranges(range).merge(range.first(), range.end(), Math::max)));
        references += Math.max(data.sources().size(), data.destinations().size());
        ids += data.channelIds().size();
    }

    private static Optional<Operation.Data> transfer(BlockStep step) {
        return step instanceof BlockStep.Run(Operation.Data data, boolean before, boolean after)
                        && !before
                        && !after
                        && isTransfer(data.kind())
                ? Optional.of(data)
                : Optional.empty();
    }

    private static boolean reduces(BlockStep step) {
        return step instanceof BlockStep.Run(Operation.Data data, boolean _, boolean _)
                && data.kind().reduces();
    }

    private static boolean isTransfer(DataKind kind) {
        return switch (kind) {
            case PUT, PUT_PACKETS, PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH, GET -> true;
            default -> false;
        };
    }

    private boolean fits(Operation.Data next) {
        if (run.isEmpty()) {
            return true;
        }
        Operation.Data first = run.getFirst();
        return first.kind() == next.kind()
                && first.channelType().equals(next.channelType())
                && first.share().equals(next.share())
                && first.sources().getFirst().size()
                        == next.sources().getFirst().size()
                && references
                                + Math.max(
                                        next.sources().size(),
                                        next.destinations().size())
                        <= limits.references()
                && (ids + next.channelIds().size() <= limits.ids()
                        || !first.channelType().equals(Optional.of(ChannelType.PORT)))
                && next.destinations().stream().noneMatch(this::isStored);
    }

    private boolean isStored(ChunkRef destination) {
        return ranges.of(destination).stream().anyMatch(range -> {
            // Ranges of a run do not overlap each other, so only the last one that starts before the end of this range
            // can overlap it.
            Map.Entry<Integer, Integer> before = ranges(range).lowerEntry(range.end());
            return before != null && before.getValue() > range.first();
        });
    }

    private NavigableMap<Integer, Integer> ranges(ChunkRange range) {
        return stored.computeIfAbsent(new Memory(range.rank(), range.memory()), _ -> new TreeMap<>());
    }

    private void end() {
        if (run.isEmpty()) {
            return;
        }
        Operation.Data first = run.getFirst();
        List<Integer> channels = new ArrayList<>();
        List<ChunkRef> sources = new ArrayList<>();
        List<ChunkRef> destinations = new ArrayList<>();
        for (Operation.Data data : run) {
            channels.addAll(data.channelIds());
            sources.addAll(data.sources());
            destinations.addAll(data.destinations());
        }
        joined.add(BlockStep.Run.of(new Operation.Data(
                first.kind(), first.channelType(), channels, sources, destinations, first.share(), first.reduceOp())));
        run.clear();
        stored.clear();
        references = 0;
        ids = 0;
    }
}
