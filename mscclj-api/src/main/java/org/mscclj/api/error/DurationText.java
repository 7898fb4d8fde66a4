package org.mscclj.api.error;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/**
 * Formats durations for messages: {@code 600 s}, {@code 1.5 s}, {@code 70 ms}, {@code 12.5 µs}.
 * {@link Duration#toString} prints ISO 8601, which few readers of a log can read.
 */
public final class DurationText {
    private DurationText() {}

    /**
     * The duration, in the largest of s, ms, µs and ns of which it has at least one, with at most three decimals;
     * further decimals are cut off.
     *
     * @param duration any, negative durations too
     */
    public static String of(Duration duration) {
        Duration size = duration.abs();
        if (size.isZero()) {
            return "0 s";
        }
        if (size.toSeconds() > 0) {
            return text(duration, 9, "s");
        }
        if (size.toMillis() > 0) {
            return text(duration, 6, "ms");
        }
        return size.toNanos() >= 1000 ? text(duration, 3, "µs") : text(duration, 0, "ns");
    }

    private static String text(Duration duration, int scale, String unit) {
        BigDecimal nanos =
                BigDecimal.valueOf(duration.getSeconds()).movePointRight(9).add(BigDecimal.valueOf(duration.getNano()));
        BigDecimal number = nanos.movePointLeft(scale).setScale(3, RoundingMode.DOWN);
        return (number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString()) + " " + unit;
    }
}
