package org.mscclj.api.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The treatment of plans that are not proved. Plans that an application loads, compiles or registers are verified once
 * for each content, when the ranks prepare their first launch. The time of verification grows with the plan; launches
 * take no extra time. The programs that ship with mscclj are proved, and never verified again.
 */
public enum PlanVerification {
    /** Plans are not verified. */
    OFF,
    /** A plan that is refuted, or that could not be proved, runs after a warning, which rank 0 logs once. */
    WARN,
    /** A plan that is refuted, or could not be proved, is refused on every rank. */
    REQUIRE;

    /** The environment variable that sets the treatment where options do not. */
    public static final String VARIABLE = "MSCCLJ_VERIFY_PLANS";

    /** The lower-case name used in environment variables, for example {@code require}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The treatment with a label.
     *
     * @param what the source of the label, for the message
     * @throws InvalidArgumentException if there is none; the message lists the labels
     */
    public static PlanVerification parse(String what, String label) {
        return Arrays.stream(values())
                .filter(verification ->
                        verification.label().equals(label.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> InvalidArgumentException.of(
                        what,
                        '"' + label + '"',
                        Arrays.stream(values())
                                .map(PlanVerification::label)
                                .collect(Collectors.joining(", ", "one of ", ""))));
    }

    @Override
    public String toString() {
        return label();
    }
}
