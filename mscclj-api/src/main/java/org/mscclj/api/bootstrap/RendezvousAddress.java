package org.mscclj.api.bootstrap;

import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Where rank 0 waits for the others.
 *
 * @param interfaceName the network interface of this host to bind to and to connect from; empty for the one that routing gives
 * @param host the IP address or name of rank 0's host
 * @param ports the port, or a range of which rank 0 takes the first that is free; the others find it by trying
 */
public record RendezvousAddress(Optional<String> interfaceName, String host, PortRange ports) {
    private static final String FORMS =
            "host:port, ip:port, [ipv6]:port or interface:ip:port, where port may be a range as 5000-5015";

    /** Checks that there is a host. */
    public RendezvousAddress {
        Objects.requireNonNull(interfaceName, "interfaceName");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(ports, "ports");
        if (host.isBlank()) {
            throw InvalidArgumentException.of("address", "\"\" (no host)", FORMS);
        }
    }

    /** An address without an interface. */
    public static RendezvousAddress of(String host, PortRange ports) {
        return new RendezvousAddress(Optional.empty(), host, ports);
    }

    /**
     * An address as text: {@code host:port}, {@code ip:port}, {@code [ipv6]:port} or, as in MSCCL++, {@code interface:ip:port}. The port
     * may be a range, as in {@code 10.0.0.1:5000-5015}.
     *
     * @throws InvalidArgumentException if it is not such a text
     */
    public static RendezvousAddress parse(String text) {
        Objects.requireNonNull(text, "address");
        int portColon = text.lastIndexOf(':');
        if (portColon <= 0) {
            throw InvalidArgumentException.of("address", '"' + text + '"', FORMS);
        }
        PortRange ports = PortRange.parse(text.substring(portColon + 1));
        if (ports.isAny()) {
            throw InvalidArgumentException.of(
                    "port of address", '"' + text + '"', "1 to 65535; all ranks must know it");
        }
        String rest = text.substring(0, portColon);
        Optional<String> interfaceName = Optional.empty();
        int bracket = rest.indexOf('[');
        int colon = bracket < 0 ? rest.indexOf(':') : bracket - 1;
        if (colon > 0 && rest.charAt(colon) == ':') {
            interfaceName = Optional.of(rest.substring(0, colon));
            rest = rest.substring(colon + 1);
        }
        if (bracket >= 0) {
            if (!rest.startsWith("[") || !rest.endsWith("]")) {
                throw InvalidArgumentException.of("address", '"' + text + '"', FORMS);
            }
            rest = rest.substring(1, rest.length() - 1);
        } else if (rest.indexOf(':') >= 0) {
            throw InvalidArgumentException.of("address", '"' + text + '"', FORMS + "; IPv6 addresses in brackets");
        }
        return new RendezvousAddress(interfaceName, rest, ports);
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return interfaceName.map(name -> name + ":").orElse("") + (host.indexOf(':') < 0 ? host : "[" + host + "]")
                + ":" + ports;
    }
}
