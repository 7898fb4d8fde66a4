package org.mscclj.cli.ranks;

import java.time.Duration;

/**
 * What all ranks have in common, wherever they live.
 *
 * @param timeout what a launch or its preparation may take
 * @param delay called before each launch that is checked
 */
public record RankSettings(Duration timeout, LaunchDelay delay) {
    /** Without delays. */
    public static RankSettings of(Duration timeout) {
        return new RankSettings(timeout, LaunchDelay.NONE);
    }
}
