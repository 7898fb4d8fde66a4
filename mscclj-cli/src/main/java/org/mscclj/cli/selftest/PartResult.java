package org.mscclj.cli.selftest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * How a part ended.
 *
 * @param part the part
 * @param outcome how it ended
 * @param took how long it took
 * @param log what it printed
 * @param summary one line about it
 */
record PartResult(Part part, Outcome outcome, Duration took, Path log, String summary) {
    /** How a part ended. */
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

    /** With one digit after the point. */
    String seconds() {
        return String.format(Locale.ROOT, "%.1f", took.toMillis() / 1e3);
    }
}
