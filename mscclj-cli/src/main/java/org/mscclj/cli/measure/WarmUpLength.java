package org.mscclj.cli.measure;

import java.time.Duration;

/**
 * The length of a warm-up, in which the VM compiles the code: launches continue until several batches in a row are no
 * faster.
 *
 * @param batch the least duration of a batch
 * @param unimproved number of batches in a row that are no faster; a single one may be slow because of other load
 * @param most the longest duration of the warm-up
 */
public record WarmUpLength(Duration batch, int unimproved, Duration most) {
    private static final Duration BATCH = Duration.ofMillis(100);

    /** For a single call that is measured in a fresh VM. */
    public static WarmUpLength thorough(Duration most) {
        return new WarmUpLength(Duration.ofMillis(200), 8, most);
    }

    /** For one of many calls that run the same code. */
    public static WarmUpLength brief() {
        return new WarmUpLength(BATCH, 4, Duration.ofSeconds(4));
    }

    /** For a given time, however fast launches are. */
    public static WarmUpLength lasting(Duration time) {
        return new WarmUpLength(time.compareTo(BATCH) < 0 ? time : BATCH, Integer.MAX_VALUE, time);
    }
}
