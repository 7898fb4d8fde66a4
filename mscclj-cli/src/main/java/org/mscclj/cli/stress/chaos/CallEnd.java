package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.Optional;
import org.mscclj.cli.stress.rank.RankReport;

/**
 * The end of a call on a rank.
 *
 * @param report the report of the call
 * @param nanos the time of the report, of {@link System#nanoTime}
 * @param formed its rank in the communicator that it has formed, and the number of ranks of that
 */
record CallEnd(RankReport report, long nanos, Optional<List<Integer>> formed) {
    boolean isDone() {
        return report.kind() == RankReport.Kind.DONE;
    }
}
