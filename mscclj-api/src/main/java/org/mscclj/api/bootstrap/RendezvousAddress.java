package org.mscclj.api.bootstrap;

import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The address at which rank 0 listens for the other ranks.
 *
 * @param interfaceName the network interface of this host to bind to and to connect from; empty if routing chooses it
 * @param host the IP address or name of rank 0's host; without the brackets of an IPv6 address
 * @param ports the port, or a range of which rank 0 takes the first free port; the other ranks find it by trying
 */
public record RendezvousAddress(Optional<String> interfaceName, String host, PortRange ports) {
    private static final String FORMS =
            "host:port, ip:port, [ipv6]:port or interface:ip:port, where port may be a range as 5000-5015";

    /** Checks that the host is a name or an address. */
    public RendezvousAddress {
        Objects.requireNonNull(interfaceName, "interfaceName");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(ports, "ports");
        String given = host;
        host = HostText.host(host)
                .orElseThrow(
                        () -> InvalidArgumentException.of("host of an address", '"' + given + '"', HostText.FORMS));
    }

    /** An address without an interface. */
    public static RendezvousAddress of(String host, PortRange ports) {
        return new RendezvousAddress(Optional.empty(), host, ports);
    }

    /**
     * An address as text: {@code host:port}, {@code ip:port}, {@code [ipv6]:port} or, as in MSCCL++,
     * {@code interface:ip:port}. The port may be a range, as in {@code 10.0.0.1:5000-5015}.
     *
     * @throws InvalidArgumentException if the text has another format
     */
    public static RendezvousAddress parse(String text) {
        RendezvousAddress address = parseWithAnyPort(text);
        if (address.ports.isAny()) {
            throw InvalidArgumentException.of(
                    "port of address", '"' + text + '"', "1 to 65535; all ranks must know it");
        }
        return address;
    }

    /**
     * Like {@link #parse}, for a process that binds the address and publishes the port afterwards: the port may be 0.
     */
    static RendezvousAddress parseWithAnyPort(String text) {
        Objects.requireNonNull(text, "address");
        int portColon = text.lastIndexOf(':');
        if (portColon <= 0) {
            throw InvalidArgumentException.of("address", '"' + text + '"', FORMS);
        }
        PortRange ports = PortRange.parse(text.substring(portColon + 1));
        String host = text.substring(0, portColon);
        if (host.indexOf(':') >= 0 && HostText.host(host).isPresent() && !host.startsWith("[")) {
            throw InvalidArgumentException.of("address", '"' + text + '"', FORMS + "; IPv6 addresses in brackets");
        }
        return parse(host, ports);
    }

    /**
     * An address as two texts: the host, as {@code host}, {@code ip}, {@code ipv6}, {@code [ipv6]},
     * {@code interface:ip} or {@code interface:[ipv6]}; and the port.
     *
     * @throws InvalidArgumentException if the host has another format
     */
    public static RendezvousAddress parse(String host, PortRange ports) {
        Objects.requireNonNull(host, "host");
        HostText read = HostText.parse(host);
        return new RendezvousAddress(read.interfaceName(), read.host(), ports);
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
        return interfaceName.map(name -> name + ":").orElse("") + HostText.withBrackets(host) + ":" + ports;
    }
}
