package org.mscclj.cli.perf;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The results of a measurement.
 *
 * @param header the data that all sizes share
 * @param backend the backend's name
 * @param peers the libraries to compare with
 * @param rows the results by size
 * @param averageBusBandwidth mean over all sizes and placements, in 10<sup>9</sup> bytes a second
 * @param failure why the measurement failed; empty if it succeeded
 */
record PerfResults(
        PerfHeader header,
        String backend,
        List<PeerHeader> peers,
        List<PerfRow> rows,
        OptionalDouble averageBusBandwidth,
        Optional<String> failure) {
    PerfResults {
        peers = List.copyOf(peers);
        rows = List.copyOf(rows);
    }

    /** Returns one line that describes the measurement. */
    String title() {
        PerfSettings settings = header.settings();
        return "mscclj perf " + settings.collective() + ", " + settings.ranks() + " ranks, " + settings.type();
    }
}
