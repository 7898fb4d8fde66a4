package org.mscclj.plan.pass;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;

/**
 * Finds ranges of chunks that a program cannot be replicated with. {@link Instances} cuts each range by itself: where
 * two ranges overlap and are not equal, an instance uses chunks of another one, and nothing orders the two. That is a
 * race if one of them is written. Packets are left out, since the flag of each element orders it.
 *
 * @param <L> where an operation was said
 */
public final class InstanceRanges<L> {
    private final Plan declared;
    private final Map<Place, Use<L>> uses = new LinkedHashMap<>();

    private record Use<L>(boolean written, L where) {}

    /**
     * Two ranges that cannot be.
     *
     * @param one a range
     * @param oneWhere where it is used
     * @param other a range that overlaps it
     * @param otherWhere where that is used
     */
    public record Conflict<L>(Place one, L oneWhere, Place other, L otherWhere) {}

    /**
     * No ranges yet.
     *
     * @param declared the plan without blocks
     */
    public InstanceRanges(Plan declared) {
        this.declared = declared;
    }

    /** Takes the ranges of an operation, whose ids are those of the rank. */
    public void add(int rank, Operation operation, L where) {
        Places places = new Places(declared, declared.ranks().get(rank));
        for (Access access : new PlainAccesses(places).of(operation)) {
            uses.merge(
                    access.place(),
                    new Use<>(access.write(), where),
                    (before, now) -> before.written() || !now.written() ? before : now);
        }
    }

    /** The first conflict by place, if there is one. */
    public Optional<Conflict<L>> conflict() {
        List<Place> sorted = uses.keySet().stream()
                .sorted(Comparator.comparingInt(Place::rank)
                        .thenComparing(Place::memory)
                        .thenComparingInt(Place::first)
                        .thenComparingInt(Place::end))
                .toList();
        List<Place> open = new ArrayList<>();
        for (Place place : sorted) {
            Use<L> use = use(place);
            open.removeIf(before -> !before.overlaps(place)); // and so none that comes later
            for (Place before : open) {
                Use<L> earlier = use(before);
                if (earlier.written() || use.written()) {
                    return Optional.of(new Conflict<>(before, earlier.where(), place, use.where()));
                }
            }
            open.add(place);
        }
        return Optional.empty();
    }

    private Use<L> use(Place place) {
        Use<L> use = uses.get(place);
        if (use == null) {
            throw new IllegalStateException("a place that nothing uses");
        }
        return use;
    }
}
