package org.mscclj.cli.selftest;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * How long parts may take, all together and each. Each kind has its share of the time, and parts of a kind divide that
 * by their weights; what a part leaves over is for those that follow.
 *
 * @param total what all may take
 * @param kinds the kinds of all parts
 */
record TimeBudget(Duration total, Collection<PartKind> kinds) {
    TimeBudget {
        kinds = List.copyOf(kinds);
    }

    /**
     * What the next part may take.
     *
     * @param used the time that has passed
     * @param kind the part's kind
     * @param weight the part's weight
     * @param left the weights of the parts of this kind that have not run yet, this one included
     * @return zero or less if there is no time left
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
