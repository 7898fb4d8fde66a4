package org.mscclj.cli.measure;

import java.time.Duration;
import java.util.Optional;

/**
 * The way in which times are taken.
 *
 * @param method the way in which launches are made
 * @param operations launches in a graph; empty for a number that depends on their time
 * @param replays replays of the graph in a sample; empty for enough replays for some milliseconds
 * @param samples samples of each size
 * @param warmUp the time of launches before the first sample of a size; empty for {@link #WARM_UP} of replays, or to
 *     launch one by one until launches get no faster
 */
public record Sampling(
        LaunchMethod method,
        Optional<Integer> operations,
        Optional<Integer> replays,
        int samples,
        Optional<Duration> warmUp) {
    /** Long enough for the clocks of a device that was idle to rise. */
    public static final Duration WARM_UP = Duration.ofMillis(200);

    /** Returns the warm-up of replays. */
    public Duration graphWarmUp() {
        return warmUp.orElse(WARM_UP);
    }

    /** Describes the samples and the warm-up. */
    public String describe(String clock) {
        String warming = warmUp.or(() -> method == LaunchMethod.GRAPH ? Optional.of(WARM_UP) : Optional.empty())
                .map(time -> "for " + time.toMillis() + " ms")
                .orElse("until launches get no faster");
        return "median of " + samples + " samples of "
                + switch (method) {
                    case EAGER -> "launches that follow one another";
                    case GRAPH -> "launches in a graph x replays without a pause";
                }
                + ", slowest rank, by the clock of the " + clock + "; warm-up " + warming;
    }
}
