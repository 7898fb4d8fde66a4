package org.mscclj.cli.check;

import java.util.List;
import java.util.stream.Stream;

/**
 * The findings on all ranks after one launch.
 *
 * @param ranks the findings by rank
 * @param elements number of elements of each output
 * @param bitsMayDiffer whether the outputs of an allreduce may differ in their bits, since the plan computes an element
 *     on several ranks in different orders
 */
public record LaunchFindings(List<RankFindings> ranks, long elements, boolean bitsMayDiffer) {
    /** Copies the list. */
    public LaunchFindings {
        ranks = List.copyOf(ranks);
    }

    /** Whether there are no findings. */
    public boolean isRight() {
        return ranks.stream().allMatch(RankFindings::isRight) && unequal().isEmpty();
    }

    /**
     * Returns the number of wrong elements in all outputs; stray writes, changed inputs and outputs with different bits
     * count, too.
     */
    public long wrong() {
        return ranks.stream()
                        .mapToLong(rank -> rank.wrong() + rank.changedInputs() + rank.strayBytes())
                        .sum()
                + unequal().size();
    }

    /** Returns the least number of checked elements on a rank whose output is defined; 0 if there is none. */
    public long checkedElements() {
        return ranks.stream()
                .mapToLong(RankFindings::checkedElements)
                .filter(checked -> checked > 0)
                .min()
                .orElse(0);
    }

    /** Returns one sentence for each finding. */
    public List<String> sentences() {
        return Stream.concat(
                        ranks.stream().flatMap(rank -> rank.sentences().stream()),
                        unequal().stream()
                                .map(rank -> "wrong result: rank " + rank.rank()
                                        + ": the output is right but differs in its bits from rank 0's"))
                .toList();
    }

    /** Whether the outputs are right although their bits differ. */
    public boolean bitsDiffer() {
        return !differing().isEmpty();
    }

    /** Returns the ranks whose output must equal rank 0's and does not. */
    private List<RankFindings> unequal() {
        return bitsMayDiffer ? List.of() : differing();
    }

    /** Returns the ranks whose output is right, as rank 0's is, but has different bits. */
    private List<RankFindings> differing() {
        RankFindings first = ranks.getFirst();
        return ranks.stream()
                .filter(rank -> first.wrong() == 0 && rank.wrong() == 0 && rank.digest() != first.digest())
                .toList();
    }
}
