package org.mscclj.cli.report;

import java.util.Locale;

/** Labels of axes and of tables beside plots. */
public final class PlotLabels {
    private static final String UNITS = " KMGT";

    private PlotLabels() {}

    /** Formats a size: 4096 is {@code 4K}. */
    public static String size(double bytes) {
        int power = 0;
        double rest = bytes;
        while (rest >= 1024 && power < UNITS.length() - 1) {
            rest /= 1024;
            power++;
        }
        String number = rest == Math.rint(rest) ? Long.toString((long) rest) : String.format(Locale.ROOT, "%.1f", rest);
        return (number + UNITS.charAt(power)).strip();
    }

    /** Formats a time: 1000 microseconds are {@code 1 ms}. */
    public static String time(double micros) {
        if (micros >= 1e6) {
            return decimal(micros / 1e6) + " s";
        }
        if (micros >= 1e3) {
            return decimal(micros / 1e3) + " ms";
        }
        return micros >= 1 ? decimal(micros) + " µs" : decimal(micros * 1e3) + " ns";
    }

    /** Formats a number: as a whole one from 1 on. */
    public static String decimal(double value) {
        return value >= 1 ? Long.toString(Math.round(value)) : Double.toString(value);
    }
}
