package org.mscclj.cli.perf;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.mscclj.cli.check.Tolerance;

/**
 * The data that all sizes of a measurement share.
 *
 * @param settings the settings
 * @param ranksPerNode ranks on each node
 * @param seed the seed of the inputs
 * @param clock the name of the clock that times samples
 */
record PerfHeader(PerfSettings settings, int ranksPerNode, long seed, String clock) {
    /** Describes the way in which times are taken. */
    String timing() {
        return settings.sampling().describe(clock);
    }

    String tolerance() {
        return settings.check()
                ? Tolerance.of(settings.shape(1, settings.placements().getFirst()))
                : "off";
    }

    /** Returns the time and the machine. */
    static String machine() {
        return Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ", Java " + Runtime.version() + ", "
                + Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }
}
