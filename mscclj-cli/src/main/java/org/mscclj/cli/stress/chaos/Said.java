package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.Optional;
import org.mscclj.cli.stress.rank.Report;

/**
 * What has come of a call on a rank.
 *
 * @param report how the call has ended
 * @param nanos when, as of {@link System#nanoTime}
 * @param formed its number in the communicator that it had got by then, and how many ranks that has
 */
record Said(Report report, long nanos, Optional<List<Integer>> formed) {
    boolean isDone() {
        return report.kind() == Report.Kind.DONE;
    }
}
