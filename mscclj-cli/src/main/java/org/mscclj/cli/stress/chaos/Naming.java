package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.cli.stress.rank.Report;

/**
 * Judges whom a rank names.
 *
 * @param harmed the ranks of its communicator that were harmed
 */
record Naming(List<Integer> harmed) {
    private static final Pattern RANK = Pattern.compile("\\branks? \\[?(\\d+)");

    /** Whether it names one that was harmed, or more, and nobody else. */
    boolean isRight(Report report) {
        if (report.saysMore()) {
            return false;
        }
        return switch (report.kind()) {
            case LOST, TIMEOUT -> !report.ranks().isEmpty() && harmed.containsAll(report.ranks());
            case ABORTED -> tellsAHarmedOne(report.message());
            default -> false;
        };
    }

    /** Such an exception names ranks in words alone, and may also say which rank tells of the loss. */
    private boolean tellsAHarmedOne(String message) {
        Matcher matcher = RANK.matcher(message);
        return matcher.results().anyMatch(found -> harmed.contains(Integer.valueOf(found.group(1))));
    }
}
