package org.mscclj.conformance.resource;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Determines whether an amount, measured after each round, grows from round to round. Growth that stops early does not
 * count, nor do amounts that go up and down. Growth means that each of the last rounds measured more than all earlier
 * ones.
 *
 * @param what the resource, for messages
 * @param amounts the amount after each round
 */
record Growth(String what, List<Long> amounts) {
    /** Fewer rounds prove nothing: too often, a few later rounds hold more than a few earlier rounds by chance. */
    private static final int FEWEST = 20;

    Growth {
        amounts = List.copyOf(amounts);
    }

    /**
     * Describes the growth; empty if there is none.
     *
     * @param mostPerRound the allowed growth of a round
     */
    Optional<String> above(long mostPerRound) {
        if (amounts.size() < FEWEST) {
            return Optional.empty();
        }
        List<Long> warm = amounts.subList(amounts.size() / 4, amounts.size()); // the first rounds fill caches
        int third = warm.size() / 3;
        List<Long> earlier = warm.subList(0, third);
        List<Long> later = warm.subList(warm.size() - third, warm.size());
        long perRound = (middle(later) - middle(earlier)) / (warm.size() - third);
        return Collections.min(later) > Collections.max(earlier) && perRound > mostPerRound
                ? Optional.of(what + " grow by " + perRound + " each round, where " + mostPerRound
                        + " are allowed; after the rounds there were " + amounts)
                : Optional.empty();
    }

    private static long middle(List<Long> some) {
        return some.stream().sorted().toList().get(some.size() / 2);
    }
}
