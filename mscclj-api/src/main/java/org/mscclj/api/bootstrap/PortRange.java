package org.mscclj.api.bootstrap;

import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * TCP ports, both ends inclusive. The first free port of the range is used.
 *
 * @param first the lowest port; 0, with {@code last} 0, lets the operating system choose
 * @param last the highest port
 */
public record PortRange(int first, int last) {
    /** Any port that the operating system chooses. */
    public static final PortRange ANY = new PortRange(0, 0);

    private static final int HIGHEST = 65_535;

    /** Checks the ports. */
    public PortRange {
        boolean any = first == 0 && last == 0;
        if (!any && (first < 1 || last > HIGHEST || last < first)) {
            throw InvalidArgumentException.of(
                    "port range", first + "-" + last, "1 to " + HIGHEST + ", lower port first, or 0 for any port");
        }
    }

    /**
     * A range as text: {@code 5000} or {@code 5000-5015}.
     *
     * @throws InvalidArgumentException if the text has another format
     */
    public static PortRange parse(String text) {
        Objects.requireNonNull(text, "ports");
        int dash = text.indexOf('-');
        try {
            return dash < 0
                    ? new PortRange(Integer.parseInt(text), Integer.parseInt(text))
                    : new PortRange(
                            Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(
                    "port is \"" + text + "\"; allowed: a number as 5000, or a range as 5000-5015", e);
        }
    }

    /** Whether the operating system chooses. */
    public boolean isAny() {
        return first == 0;
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
