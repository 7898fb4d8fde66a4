package org.mscclj.cli.measure;

import java.time.Duration;

/**
 * How long to launch without timing, since the VM compiles what runs while it runs: until several batches of launches
 * in a row are no faster.
 *
 * @param batch how long a batch must take to tell anything
 * @param patience batches in a row that are no faster; one may be slow because others use the machine
 * @param most after this it ends anyway
 */
public record WarmUp(Duration batch, int patience, Duration most) {
    /** For one call, which is measured right after its start. */
    public static WarmUp thorough(Duration most) {
        return new WarmUp(Duration.ofMillis(200), 8, most);
    }

    /** For one of many calls that run the same code. */
    public static WarmUp brief() {
        return new WarmUp(Duration.ofMillis(100), 4, Duration.ofSeconds(4));
    }
}
