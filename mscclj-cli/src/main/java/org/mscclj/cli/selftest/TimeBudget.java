package org.mscclj.cli.selftest;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The time limits of parts. Each kind has a share of the total time, which its parts divide by their weights; later
 * parts inherit the time that earlier ones did not use.
 *
 * @param total the time limit of all parts
 * @param kinds the kinds of all parts
 */
record TimeBudget(Duration total, Collection<PartKind> kinds) {
    TimeBudget {
        kinds = List.copyOf(kinds);
    }

    /**
     * Returns the time limit of the next part.
     *
     * @param used the time used so far
     * @param kind the part's kind
     * @param weight the part's weight
     * @param left the sum of the weights of all parts of this kind that have not run yet, with this one
     * @return the limit; zero or less if no time is left
     */
    Duration limit(Duration used, PartKind kind, int weight, int left) {
        int all = kinds.stream().mapToInt(PartKind::share).sum();
        int untilEnd = kinds.stream()
                .filter(other -> other.compareTo(kind) <= 0)
                .mapToInt(PartKind::share)
                .sum();
        return total.multipliedBy(untilEnd)
                .dividedBy(all)
                .minus(used)
                .multipliedBy(weight)
                .dividedBy(left);
    }
}
