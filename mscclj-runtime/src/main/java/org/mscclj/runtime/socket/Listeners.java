package org.mscclj.runtime.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Collectors;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.error.UnsupportedException;

/** Binds sockets to which other processes can connect. */
public final class Listeners {
    private static final int BACKLOG = 1024;

    private Listeners() {}

    /**
     * Listens on the first free port of a range.
     *
     * @param host the address to bind to
     * @throws UnsupportedException if none is free, or the address is not one of this host
     */
    public static ServerSocket bind(InetAddress host, PortRange ports) {
        return bind(List.of(host), ports);
    }

    /**
     * Listens on the first free port of a range.
     *
     * @param hosts addresses, in order of preference; the first one that can be bound is used
     * @throws UnsupportedException if no port is free, or no address is one of this host
     */
    public static ServerSocket bind(List<InetAddress> hosts, PortRange ports) {
        IOException last = new IOException("no port was tried");
        for (int port = ports.first(); port <= ports.last(); port++) {
            for (InetAddress host : hosts) {
                try {
                    return bind(new InetSocketAddress(host, port));
                } catch (IOException e) {
                    last = e;
                }
            }
        }
        throw new UnsupportedException("cannot listen on "
                + hosts.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(" or ")) + ", port "
                + ports + ": " + last.getMessage()
                + "; use an address of this host and a port, or a range of ports, that is free");
    }

    private static ServerSocket bind(InetSocketAddress address) throws IOException {
        ServerSocket listener = new ServerSocket();
        try {
            listener.bind(address, BACKLOG);
            return listener;
        } catch (IOException e) {
            ControlSocket.closeQuietly(listener);
            throw e;
        }
    }
}
