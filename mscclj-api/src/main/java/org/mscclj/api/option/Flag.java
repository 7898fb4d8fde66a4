package org.mscclj.api.option;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;

/** Reads variables of the environment that say yes or no. All of mscclj's are read alike. */
public final class Flag {
    private static final String ALLOWED = "1 or 0, true or false, yes or no, on or off";

    private Flag() {}

    /**
     * What a variable says, in any case of letters.
     *
     * @param variable its name
     * @param otherwise what holds if it is not set, or empty
     * @throws InvalidArgumentException if it says neither; names it
     */
    public static boolean of(Map<String, String> environment, String variable, boolean otherwise) {
        Objects.requireNonNull(environment, "environment");
        Objects.requireNonNull(variable, "variable");
        return parse(variable, environment.getOrDefault(variable, ""), otherwise);
    }

    /**
     * What a text says, in any case of letters.
     *
     * @param name where the text comes from
     * @param otherwise what holds if it is empty
     * @throws InvalidArgumentException if it says neither; names where it comes from
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
