package org.mscclj.analysis.picture;

import java.util.Locale;

/** Times and sizes as text. */
final class QuantityText {
    private QuantityText() {}

    /** 1234.5 is {@code 1.234 µs}: three digits after the point, or one for nanoseconds. */
    static String nanos(double nanos) {
        if (nanos < 1e3) {
            return number("%.1f ns", nanos);
        }
        if (nanos < 1e6) {
            return number("%.3f µs", nanos / 1e3);
        }
        return nanos < 1e9 ? number("%.3f ms", nanos / 1e6) : number("%.3f s", nanos / 1e9);
    }

    /** With a separator every three digits. */
    static String whole(long number) {
        return number("%,d", number);
    }

    /** {@code 12.5 %}. */
    static String percent(double part) {
        return number("%.1f %%", 100 * part);
    }

    /** Bytes per nanosecond. */
    static String bandwidth(double bandwidth) {
        return number("%.1f GB/s", bandwidth);
    }

    private static String number(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
