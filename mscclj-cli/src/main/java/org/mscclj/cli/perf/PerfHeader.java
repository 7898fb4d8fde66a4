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
 */
record PerfHeader(PerfSettings settings, int ranksPerNode, long seed) {
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
