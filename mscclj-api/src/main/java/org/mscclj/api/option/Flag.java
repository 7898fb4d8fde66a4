package org.mscclj.api.option;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;

/** Reads boolean environment variables. All boolean variables of mscclj have one format. */
public final class Flag {
    private static final String ALLOWED = "1 or 0, true or false, yes or no, on or off";

    private Flag() {}

    /**
     * The value of a variable; case does not matter.
     *
     * @param variable its name
     * @param otherwise the value if the variable is not set, or empty
     * @throws InvalidArgumentException if it has another value; the message names the variable
     */
    public static boolean of(Map<String, String> environment, String variable, boolean otherwise) {
        Objects.requireNonNull(environment, "environment");
        Objects.requireNonNull(variable, "variable");
        return parse(variable, environment.getOrDefault(variable, ""), otherwise);
    }

    /**
     * The value of a text; case does not matter.
     *
     * @param name the source of the text, for messages
     * @param otherwise the value if the text is empty
     * @throws InvalidArgumentException if it has another value; the message names the source
     */
    public static boolean parse(String name, String text, boolean otherwise) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(text, "text");
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "" -> otherwise;
            case "1", "true", "yes", "on", "y", "t" -> true;
            case "0", "false", "no", "off", "n", "f" -> false;
            default -> throw InvalidArgumentException.of(name, '"' + text + '"', ALLOWED);
        };
    }
}
