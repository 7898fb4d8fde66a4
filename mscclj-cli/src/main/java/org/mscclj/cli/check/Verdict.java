package org.mscclj.cli.check;

import java.util.List;

/**
 * The result of a check.
 *
 * @param ranks what was found on each rank
 * @param checkedElements elements of each output that were looked at
 * @param elements elements of each output
 */
public record Verdict(List<RankFindings> ranks, long checkedElements, long elements) {
    /** Copies the list. */
    public Verdict {
        ranks = List.copyOf(ranks);
    }

    /** Whether nothing was found. */
    public boolean isRight() {
        return ranks.stream().allMatch(RankFindings::isRight);
    }

    /** Wrong elements of all outputs; stray writes and changed inputs count too. */
    public long wrong() {
        return ranks.stream()
                .mapToLong(rank -> rank.wrong() + rank.unequal() + rank.changedInputs() + rank.strayBytes())
                .sum();
    }

    /** One sentence for each thing that was found. */
    public List<String> sentences() {
        return ranks.stream()
                .flatMap(rank -> rank.sentences(checkedElements).stream())
                .toList();
    }
}
