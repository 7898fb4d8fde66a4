package org.mscclj.cli.report;

import java.util.Locale;
import java.util.OptionalDouble;

/** Formats numbers for tables. */
public final class Decimal {
    private Decimal() {}

    /** Returns a number with two decimals; {@code -} if there is none. */
    public static String of(OptionalDouble value) {
        return value.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f", value.getAsDouble());
    }
}
