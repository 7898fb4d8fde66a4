package org.mscclj.cli.ranks;

import java.time.Duration;

/**
 * The settings that all ranks share.
 *
 * @param timeout the timeout of a launch and of its set-up
 * @param delay the delay before each checked launch
 */
public record RankSettings(Duration timeout, LaunchDelay delay) {
    /** Creates settings without delays. */
    public static RankSettings of(Duration timeout) {
        return new RankSettings(timeout, LaunchDelay.NONE);
    }
}
