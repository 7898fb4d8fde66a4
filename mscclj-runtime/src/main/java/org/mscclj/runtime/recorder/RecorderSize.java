package org.mscclj.runtime.recorder;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.error.InvalidArgumentException;

/** How many launches a recorder keeps, unless options of its communicator say it. */
public final class RecorderSize {
    /** The system property that says so; it comes before the variable. */
    public static final String PROPERTY = "mscclj.recorder.entries";

    /** The environment variable that says so. */
    public static final String VARIABLE = "MSCCLJ_RECORDER_ENTRIES";

    private static final int DEFAULT = 2_000;
    private static final int MOST = CommunicatorOptions.MOST_RECORDER_ENTRIES;

    private RecorderSize() {}

    /**
     * What a process is told.
     *
     * @throws InvalidArgumentException if it is told no number
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
            if (entries >= 0 && entries <= MOST) {
                return entries;
            }
        } catch (NumberFormatException _) {
            // told below
        }
        throw InvalidArgumentException.of(
                name, '"' + text + '"', "a whole number from 0, which turns it off, to " + MOST);
    }
}
