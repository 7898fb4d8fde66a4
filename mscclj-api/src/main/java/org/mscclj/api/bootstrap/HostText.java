package org.mscclj.api.bootstrap;

import java.net.Inet6Address;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A host as text; only this class parses and formats hosts. A host is a name, an IPv4 address, or an IPv6 address with
 * or without brackets and with or without a zone, as in {@code fe80::1%eth0}; before it, as in MSCCL++, an interface
 * and a colon.
 *
 * @param interfaceName the interface; empty if there is none
 * @param host without brackets
 */
record HostText(Optional<String> interfaceName, String host) {
    static final String FORMS =
            "a name, an IPv4 address or an IPv6 address, which may be in brackets and have a zone as in"
                    + " fe80::1%eth0; or interface:address";

    private static final int LONGEST = 255;
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_.-]+");
    private static final Pattern ZONE = Pattern.compile("[^\\s/%\\[\\]:]+");
    private static final Pattern INTERFACE = Pattern.compile("[^\\s/%\\[\\]:]+");

    /**
     * Reads a host without a port.
     *
     * @throws InvalidArgumentException if it is not a host
     */
    static HostText parse(String text) {
        Optional<String> whole = host(text);
        if (whole.isPresent()) {
            return new HostText(Optional.empty(), whole.get());
        }
        int colon = text.indexOf(':');
        if (colon > 0 && INTERFACE.matcher(text.substring(0, colon)).matches()) {
            Optional<String> host = host(text.substring(colon + 1));
            // a host with colons after an interface needs brackets, since a part of an IPv6 address could follow the
            // colon
            if (host.isPresent() && (host.get().indexOf(':') < 0 || text.charAt(colon + 1) == '[')) {
                return new HostText(Optional.of(text.substring(0, colon)), host.get());
            }
        }
        throw InvalidArgumentException.of("host", '"' + text + '"', FORMS);
    }

    /** A name or an address, without its brackets; empty if it is neither. */
    static Optional<String> host(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        if (text.startsWith("[") && text.endsWith("]")) {
            return Optional.of(text.substring(1, text.length() - 1)).filter(HostText::isIpv6);
        }
        return Optional.of(text)
                .filter(host -> isIpv6(host) || NAME.matcher(host).matches());
    }

    /** Whether a text is an IPv6 address. Its zone may belong to another host, and need not exist here. */
    private static boolean isIpv6(String text) {
        int percent = text.indexOf('%');
        String address = percent < 0 ? text : text.substring(0, percent);
        if (percent >= 0 && !ZONE.matcher(text.substring(percent + 1)).matches()) {
            return false;
        }
        if (address.indexOf(':') < 0 || !address.toLowerCase(Locale.ROOT).matches("[0-9a-f:.]+")) {
            return false;
        }
        try {
            return Inet6Address.ofLiteral(address) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns the host, in brackets if it has colons. */
    static String withBrackets(String host) {
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }
}
