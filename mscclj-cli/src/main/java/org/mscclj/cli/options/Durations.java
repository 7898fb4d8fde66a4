package org.mscclj.cli.options;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.error.InvalidArgumentException;

/** Parses durations such as {@code 30s}, {@code 500ms} and {@code 2m}. */
public final class Durations {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(ms|s|m|h)?");

    private Durations() {}

    /** Returns the duration of a text; a number without a unit counts seconds. */
    public static Duration parse(String text) {
        Matcher matcher = TEXT.matcher(text.toLowerCase(Locale.ROOT));
        Duration duration = Duration.ZERO;
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            String unit = matcher.group(2);
            duration = switch (unit == null ? "s" : unit) {
                case "ms" -> Duration.ofMillis(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> Duration.ofSeconds(number);
            };
        }
        if (duration.isZero()) {
            throw InvalidArgumentException.of(
                    "duration", '"' + text + '"', "more than 0, for example 30s, 500ms or 2m");
        }
        return duration;
    }
}
