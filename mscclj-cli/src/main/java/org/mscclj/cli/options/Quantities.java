package org.mscclj.cli.options;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.error.InvalidArgumentException;

/** Parses numbers with suffixes: {@code 4K} is 4096. */
public final class Quantities {
    private static final Pattern BYTES = Pattern.compile("(\\d{1,18})([KMGT]?)(I?B)?");
    private static final Pattern COUNT = Pattern.compile("(\\d{1,18})([KMGT]?)");

    private Quantities() {}

    /**
     * Parses a size in bytes, such as {@code 64M} or {@code 4KiB}.
     *
     * @throws InvalidArgumentException if the text is invalid; the message names the option
     */
    public static long bytes(String option, String text) {
        return number(option, text, BYTES, "bytes, with K, M, G or T for powers of 1024, for example 1M or 4K,64K");
    }

    /**
     * Parses a count, such as {@code 64K}.
     *
     * @param of the counted unit, for messages
     * @throws InvalidArgumentException if the text is invalid; the message names the option
     */
    public static long count(String option, String text, String of) {
        return number(option, text, COUNT, of);
    }

    private static long number(String option, String text, Pattern pattern, String allowed) {
        Matcher matcher = pattern.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw InvalidArgumentException.of(option, '"' + text + '"', "a whole number of " + allowed);
        }
        int power = " KMGT".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
        return multiply(text, Long.parseLong(matcher.group(1)), 1L << (10 * power));
    }

    /**
     * Multiplies two numbers.
     *
     * @param text the user's text, for messages
     * @throws InvalidArgumentException if the product has more than 63 bits
     */
    public static long multiply(String text, long number, long by) {
        try {
            return Math.multiplyExact(number, by);
        } catch (ArithmeticException e) {
            throw new InvalidArgumentException("size " + text + " has more than 2^63 bytes; use a smaller one", e);
        }
    }
}
