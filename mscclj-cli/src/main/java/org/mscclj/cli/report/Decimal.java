package org.mscclj.cli.report;

import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers as tables show them. */
public final class Decimal {
    private Decimal() {}

    /** With two digits after the point; {@code -} if there is none. */
    public static String of(OptionalDouble value) {
        return value.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f", value.getAsDouble());
    }
}
