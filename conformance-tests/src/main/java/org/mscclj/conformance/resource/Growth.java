package org.mscclj.conformance.resource;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Whether something that is looked at after each round grows from round to round. What is kept once, early, does not
 * count, nor what comes and goes: only what every one of the last rounds found more of than any of the earlier ones.
 *
 * @param what in words
 * @param amounts after each round
 */
record Growth(String what, List<Long> amounts) {
    /**
     * With fewer rounds nothing can be said: too often a few later ones hold more than a few earlier ones for no
     * reason.
     */
    private static final int FEWEST = 20;

    Growth {
        amounts = List.copyOf(amounts);
    }

    /**
     * What grows, in words.
     *
     * @param mostPerRound what may be added each round
     */
    Optional<String> above(long mostPerRound) {
        if (amounts.size() < FEWEST) {
            return Optional.empty();
        }
        List<Long> warm = amounts.subList(amounts.size() / 4, amounts.size()); // the first fill caches
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
