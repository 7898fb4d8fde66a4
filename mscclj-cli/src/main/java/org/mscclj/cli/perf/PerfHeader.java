package org.mscclj.cli.perf;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.mscclj.cli.check.Tolerance;

/**
 * What all sizes of a measurement have in common.
 *
 * @param settings what is measured
 * @param ranksPerNode ranks on each node
 * @param seed of the inputs
 */
record PerfHeader(PerfSettings settings, int ranksPerNode, long seed) {
    String tolerance() {
        return settings.check()
                ? Tolerance.of(settings.shape(1, settings.placements().getFirst()))
                : "off";
    }

    /** When and on what. */
    static String machine() {
        return Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ", Java " + Runtime.version() + ", "
                + Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }
}
