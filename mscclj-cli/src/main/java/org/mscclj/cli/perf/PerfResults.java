package org.mscclj.cli.perf;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A measurement that has ended.
 *
 * @param header what all sizes have in common
 * @param backend the backend's name
 * @param peer what was compared with
 * @param rows by size
 * @param averageBusBandwidth over all sizes and placements, in 10<sup>9</sup> bytes a second
 * @param failure why it ended early or failed; empty if all was right
 */
record PerfResults(
        PerfHeader header,
        String backend,
        Optional<PeerHeader> peer,
        List<PerfRow> rows,
        OptionalDouble averageBusBandwidth,
        Optional<String> failure) {
    PerfResults {
        rows = List.copyOf(rows);
    }

    /** One line that says what was measured. */
    String title() {
        PerfSettings settings = header.settings();
        return "mscclj perf " + settings.collective() + ", " + settings.ranks() + " ranks, " + settings.type();
    }
}
