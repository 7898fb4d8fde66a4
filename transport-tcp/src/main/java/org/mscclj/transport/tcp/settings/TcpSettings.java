package org.mscclj.transport.tcp.settings;

import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Flag;
import org.mscclj.spi.network.KeepAlive;
import org.mscclj.spi.protection.WireProtection;

/**
 * Settings of the transport.
 *
 * @param ports the ports on which it may listen
 * @param networkInterface name of the interface, or an address of this machine, to use; empty for the first that fits
 * @param lanes sockets of each connection
 * @param timeout the limit for connecting to a peer, for calls that name none; an unauthenticated socket has half of it
 * @param tls keys and certificates of TLS; empty without TLS
 * @param protection which sockets without TLS are sealed
 * @param keepAlive when a socket breaks whose other end is silent
 */
public record TcpSettings(
        PortRange ports,
        Optional<String> networkInterface,
        int lanes,
        Duration timeout,
        Optional<TlsSettings> tls,
        WireProtection protection,
        KeepAlive keepAlive) {
    public static final String PORTS = "MSCCLJ_TCP_PORTS";
    public static final String INTERFACE = "MSCCLJ_TCP_INTERFACE";
    static final String CONNECTIONS = "MSCCLJ_TCP_CONNECTIONS";

    /** Maximum number of lanes: more give no more bandwidth, and each needs buffers. */
    public static final int MAX_LANES = 16;

    private static final int LANES = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** The defaults: ports that the system chooses, any interface, no TLS. */
    public static final TcpSettings DEFAULTS = new TcpSettings(
            PortRange.ANY, Optional.empty(), LANES, TIMEOUT, Optional.empty(), WireProtection.HOSTS, KeepAlive.DEFAULT);

    /**
     * Reads the environment variables.
     *
     * @throws InvalidArgumentException if the value of one is invalid; the message names it
     */
    public static TcpSettings of(Map<String, String> environment) {
        return new TcpSettings(
                ports(environment.getOrDefault(PORTS, "")),
                Optional.ofNullable(environment.get(INTERFACE)).filter(name -> !name.isBlank()),
                lanes(environment.getOrDefault(CONNECTIONS, "")),
                TIMEOUT,
                TlsSettings.of(environment),
                WireProtection.of(environment),
                KeepAlive.of(environment));
    }

    /**
     * Like {@link #of}, but does not check that files exist: a process without connections needs none.
     *
     * @throws InvalidArgumentException if the value of a variable is invalid; the message names it
     */
    public static void requireValid(Map<String, String> environment) {
        ports(environment.getOrDefault(PORTS, ""));
        lanes(environment.getOrDefault(CONNECTIONS, ""));
        Flag.of(environment, TlsSettings.TLS, false);
        WireProtection.of(environment);
        KeepAlive.of(environment);
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
            if (lanes >= 1 && lanes <= MAX_LANES) {
                return lanes;
            }
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(CONNECTIONS + " is " + text + "; allowed: 1 to " + MAX_LANES, e);
        }
        throw InvalidArgumentException.of(CONNECTIONS, text, "1 to " + MAX_LANES);
    }

    /** Whether this process requires that the bytes on a connected socket are sealed. */
    public boolean seals(SocketChannel socket) {
        return tls.isEmpty()
                && protection.seals(
                        socket.socket().getLocalAddress(), socket.socket().getInetAddress());
    }

    /** Returns the address at which the transport listens. */
    public InetAddress localAddress() {
        return LocalAddress.of(networkInterface);
    }
}
