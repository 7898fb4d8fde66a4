package org.mscclj.runtime.recorder;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.error.InvalidArgumentException;

/** The number of launches that a recorder keeps, unless options of its communicator set it. */
public final class RecorderSize {
    /** The system property that sets the number; it takes precedence over the variable. */
    public static final String PROPERTY = "mscclj.recorder.entries";

    /** The environment variable that sets the number. */
    public static final String VARIABLE = "MSCCLJ_RECORDER_ENTRIES";

    private static final int DEFAULT = 2_000;
    private static final int MAX = CommunicatorOptions.MAX_RECORDER_ENTRIES;

    private RecorderSize() {}

    /**
     * Returns the number configured for a process.
     *
     * @throws InvalidArgumentException if the configured value is not a number
     */
    public static int of(@Nullable String property, Map<String, String> environment) {
        if (property != null) {
            return parse(PROPERTY, property);
        }
        return Optional.ofNullable(environment.get(VARIABLE))
                .filter(text -> !text.isBlank())
                .map(text -> parse(VARIABLE, text))
                .orElse(DEFAULT);
    }

    private static int parse(String name, String text) {
        try {
            int entries = Integer.parseInt(text.strip());
            if (entries >= 0 && entries <= MAX) {
                return entries;
            }
        } catch (NumberFormatException _) {
            // refused below
        }
        throw InvalidArgumentException.of(
                name, '"' + text + '"', "a whole number from 0, which turns it off, to " + MAX);
    }
}
