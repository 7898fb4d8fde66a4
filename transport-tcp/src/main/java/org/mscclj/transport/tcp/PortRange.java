package org.mscclj.transport.tcp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Ports to listen on, the first free one of which is taken.
 *
 * @param first the least; 0 for one of the system's choice
 * @param last the greatest
 */
record PortRange(int first, int last) {
    /** A free port of the system's choice. */
    static final PortRange ANY = new PortRange(0, 0);

    private static final int MOST = 65_535;
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

    /** The range that {@value TcpSettings#PORTS} describes: empty, a port, or two with a hyphen. */
    static PortRange of(String text) {
        if (text.isBlank()) {
            return ANY;
        }
        Matcher matcher = SYNTAX.matcher(text.strip());
        if (matcher.matches()) {
            int first = Integer.parseInt(matcher.group(1));
            int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            if (first <= last && last <= MOST && (first > 0 || last == 0)) {
                return new PortRange(first, last);
            }
        }
        throw InvalidArgumentException.of(
                TcpSettings.PORTS,
                "\"" + text + "\"",
                "a port or a range, for example 5000 or 5000-5100, from 1 to " + MOST);
    }

    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
