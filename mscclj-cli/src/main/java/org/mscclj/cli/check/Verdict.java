package org.mscclj.cli.check;

import java.util.List;
import java.util.stream.Stream;

/**
 * What was found on all ranks after one launch.
 *
 * @param ranks by rank
 * @param elements elements of each output
 * @param bitsMayDiffer whether outputs of an allreduce are right although their bits differ: the plan computes an
 *     element in several places, in different orders
 */
public record Verdict(List<RankFindings> ranks, long elements, boolean bitsMayDiffer) {
    /** Copies the list. */
    public Verdict {
        ranks = List.copyOf(ranks);
    }

    /** Whether nothing was found. */
    public boolean isRight() {
        return ranks.stream().allMatch(RankFindings::isRight) && unequal().isEmpty();
    }

    /** Wrong elements of all outputs; stray writes, changed inputs, and outputs that differ in their bits count too. */
    public long wrong() {
        return ranks.stream()
                        .mapToLong(rank -> rank.wrong() + rank.changedInputs() + rank.strayBytes())
                        .sum()
                + unequal().size();
    }

    /** The least number of elements that were looked at on a rank whose output is defined; 0 if there is none. */
    public long checkedElements() {
        return ranks.stream()
                .mapToLong(RankFindings::checkedElements)
                .filter(checked -> checked > 0)
                .min()
                .orElse(0);
    }

    /** One sentence for each thing that was found. */
    public List<String> sentences() {
        return Stream.concat(
                        ranks.stream().flatMap(rank -> rank.sentences().stream()),
                        unequal().stream()
                                .map(rank -> "wrong result: rank " + rank.rank()
                                        + ": the output is right but differs in its bits from rank 0's"))
                .toList();
    }

    /** Whether outputs are right, and not the same. */
    public boolean bitsDiffer() {
        return !differing().isEmpty();
    }

    /** Ranks whose output should be the same as rank 0's, and is not. */
    private List<RankFindings> unequal() {
        return bitsMayDiffer ? List.of() : differing();
    }

    /** Ranks whose output is right, as rank 0's is, and not the same. */
    private List<RankFindings> differing() {
        RankFindings first = ranks.getFirst();
        return ranks.stream()
                .filter(rank -> first.wrong() == 0 && rank.wrong() == 0 && rank.digest() != first.digest())
                .toList();
    }
}
