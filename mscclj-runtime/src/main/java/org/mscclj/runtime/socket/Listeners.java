package org.mscclj.runtime.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.error.UnsupportedException;

/** Binds sockets that others can connect to. */
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
        IOException last = new IOException("no port was tried");
        for (int port = ports.first(); port <= ports.last(); port++) {
            try {
                ServerSocket listener = new ServerSocket();
                try {
                    listener.bind(new InetSocketAddress(host, port), BACKLOG);
                    return listener;
                } catch (IOException e) {
                    ControlSocket.closeQuietly(listener);
                    throw e;
                }
            } catch (IOException e) {
                last = e;
            }
        }
        throw new UnsupportedException("cannot listen on " + host.getHostAddress() + ", port " + ports + ": "
                + last.getMessage() + "; use an address of this host and a port, or a range of ports, that is free");
    }
}
