package org.mscclj.transport.tcp;

import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Flag;
import org.mscclj.spi.protection.WireProtection;

/**
 * How the transport connects.
 *
 * @param ports on which peers are awaited
 * @param networkInterface name of the interface, or an address of this machine, to use; empty for the first that fits
 * @param lanes sockets of each connection
 * @param timeout what connecting to a peer may take for callers that name no limit; strangers have half of that
 * @param tls how sockets are encrypted by TLS; empty if they are not
 * @param protection which sockets without TLS are sealed
 */
record TcpSettings(
        PortRange ports,
        Optional<String> networkInterface,
        int lanes,
        Duration timeout,
        Optional<TlsSettings> tls,
        WireProtection protection) {
    static final String PORTS = "MSCCLJ_TCP_PORTS";
    static final String INTERFACE = "MSCCLJ_TCP_INTERFACE";
    static final String CONNECTIONS = "MSCCLJ_TCP_CONNECTIONS";

    /** More do not help, and each costs buffers. */
    static final int MOST_LANES = 16;

    private static final int LANES = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** Ports of the system's choice, any interface, no encryption. */
    static final TcpSettings DEFAULTS =
            new TcpSettings(PortRange.ANY, Optional.empty(), LANES, TIMEOUT, Optional.empty(), WireProtection.HOSTS);

    /**
     * What the environment variables say.
     *
     * @throws InvalidArgumentException if one of them cannot be understood; names it
     */
    static TcpSettings of(Map<String, String> environment) {
        return new TcpSettings(
                ports(environment.getOrDefault(PORTS, "")),
                Optional.ofNullable(environment.get(INTERFACE)).filter(name -> !name.isBlank()),
                lanes(environment.getOrDefault(CONNECTIONS, "")),
                TIMEOUT,
                TlsSettings.of(environment),
                WireProtection.of(environment));
    }

    /**
     * Like {@link #of}, but does not look whether files are there: a process that connects to nobody needs none.
     *
     * @throws InvalidArgumentException if a variable cannot be understood; names it
     */
    static void requireValid(Map<String, String> environment) {
        ports(environment.getOrDefault(PORTS, ""));
        lanes(environment.getOrDefault(CONNECTIONS, ""));
        Flag.of(environment, TlsSettings.TLS, false);
        WireProtection.of(environment);
    }

    private static PortRange ports(String text) {
        if (text.isBlank()) {
            return PortRange.ANY;
        }
        try {
            return PortRange.parse(text.strip());
        } catch (InvalidArgumentException e) {
            throw new InvalidArgumentException(PORTS + ": " + e.getMessage(), e);
        }
    }

    private static int lanes(String text) {
        if (text.isBlank()) {
            return LANES;
        }
        try {
            int lanes = Integer.parseInt(text.strip());
            if (lanes >= 1 && lanes <= MOST_LANES) {
                return lanes;
            }
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(CONNECTIONS + " is " + text + "; allowed: 1 to " + MOST_LANES, e);
        }
        throw InvalidArgumentException.of(CONNECTIONS, text, "1 to " + MOST_LANES);
    }

    /** Whether this process wants what is sent over a connected socket to be sealed. */
    boolean seals(SocketChannel socket) {
        return tls.isEmpty()
                && protection.seals(
                        socket.socket().getLocalAddress(), socket.socket().getInetAddress());
    }

    /** The address on which peers are awaited. */
    InetAddress localAddress() {
        return LocalAddress.of(networkInterface);
    }
}
