package org.mscclj.cli.selftest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * The result of a part.
 *
 * @param part the part
 * @param outcome the outcome
 * @param took its duration
 * @param log the file with its output
 * @param summary a summary in one line
 */
record PartResult(SelftestPart part, Outcome outcome, Duration took, Path log, String summary) {
    /** The outcome of a part. */
    enum Outcome {
        PASSED("passed"),
        FAILED("FAILED"),
        TIMED_OUT("TIMED OUT"),
        NOT_RUN("NOT RUN");

        private final String label;

        Outcome(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    boolean isRight() {
        return outcome == Outcome.PASSED;
    }

    /** Returns seconds with one decimal. */
    String seconds() {
        return String.format(Locale.ROOT, "%.1f", took.toMillis() / 1e3);
    }
}
