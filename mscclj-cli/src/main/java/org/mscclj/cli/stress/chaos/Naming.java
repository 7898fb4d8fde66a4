package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.cli.stress.rank.RankReport;

/**
 * Judges which ranks a report names.
 *
 * @param harmed the harmed ranks of the communicator
 */
record Naming(List<Integer> harmed) {
    private static final Pattern RANK = Pattern.compile("\\branks? \\[?(\\d+)");

    /** Whether the report names at least one harmed rank, and no other rank. */
    boolean isRight(RankReport report) {
        if (report.saysMore()) {
            return false;
        }
        return switch (report.kind()) {
            case LOST, TIMEOUT -> !report.ranks().isEmpty() && harmed.containsAll(report.ranks());
            case ABORTED -> namesAHarmedRank(report.message());
            default -> false;
        };
    }

    /**
     * Whether the message of an abort names harmed ranks only; it may also name the rank that has detected the loss.
     */
    private boolean namesAHarmedRank(String message) {
        Matcher matcher = RANK.matcher(message);
        return matcher.results().anyMatch(found -> harmed.contains(Integer.valueOf(found.group(1))));
    }
}
