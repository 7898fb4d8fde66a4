package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;

/**
 * Finds ranges of chunks that prevent the replication of a program. {@link Instances} splits each range separately: if
 * two ranges overlap but differ, one instance uses chunks of another with no order between them. That is a race if one
 * of the ranges is written. Packets are excluded, since the flag of each element orders it.
 *
 * @param <L> type of the position of an operation
 */
public final class InstanceRanges<L> {
    private final Plan declared;
    private final Map<ChunkRange, Use<L>> uses = new LinkedHashMap<>();

    private record Use<L>(boolean written, L where) {}

    /**
     * Two conflicting ranges.
     *
     * @param one a range
     * @param oneWhere position of its use
     * @param other a range that overlaps it
     * @param otherWhere position of the use of that range
     */
    public record Conflict<L>(ChunkRange one, L oneWhere, ChunkRange other, L otherWhere) {}

    /**
     * Creates an empty set of ranges.
     *
     * @param declared the plan without blocks
     */
    public InstanceRanges(Plan declared) {
        this.declared = declared;
    }

    /** Adds the ranges of an operation, whose ids are those of the rank. */
    public void add(int rank, Operation operation, L where) {
        ChunkRanges ranges = new ChunkRanges(declared, declared.ranks().get(rank));
        for (Access access : new PlainAccesses(ranges).of(operation)) {
            uses.merge(
                    access.range(),
                    new Use<>(access.write(), where),
                    (before, now) -> before.written() || !now.written() ? before : now);
        }
    }

    /** The first conflict in order of memory, if there is one. */
    public Optional<Conflict<L>> conflict() {
        List<ChunkRange> sorted = uses.keySet().stream()
                .sorted(Comparator.comparingInt(ChunkRange::rank)
                        .thenComparing(ChunkRange::memory)
                        .thenComparingInt(ChunkRange::first)
                        .thenComparingInt(ChunkRange::end))
                .toList();
        List<ChunkRange> open = new ArrayList<>();
        for (ChunkRange range : sorted) {
            Use<L> use = use(range);
            open.removeIf(before -> !before.overlaps(range)); // and none that comes later
            for (ChunkRange before : open) {
                Use<L> earlier = use(before);
                if (earlier.written() || use.written()) {
                    return Optional.of(new Conflict<>(before, earlier.where(), range, use.where()));
                }
            }
            open.add(range);
        }
        return Optional.empty();
    }

    private Use<L> use(ChunkRange range) {
        Use<L> use = uses.get(range);
        if (use == null) {
            throw new IllegalStateException("a range without a use");
        }
        return use;
    }
}
