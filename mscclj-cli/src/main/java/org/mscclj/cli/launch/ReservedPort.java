package org.mscclj.cli.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RendezvousAddress;

/**
 * A free port of this machine that is kept for a process to come. A socket that is bound but does not listen keeps the
 * system from giving the port to anybody else, and lets those listen on it who ask for this very port and reuse
 * addresses, as Java does. Where the system does not let them, the port is only free now.
 */
public final class ReservedPort implements AutoCloseable {
    private final Socket holder;
    private final InetSocketAddress address;

    private ReservedPort(Socket holder, InetSocketAddress address) {
        this.holder = holder;
        this.address = address;
    }

    /** Keeps one. */
    public static ReservedPort on(InetAddress host) {
        try {
            Socket holder = new Socket();
            try {
                holder.setReuseAddress(true);
                holder.bind(new InetSocketAddress(host, 0));
                ReservedPort port = new ReservedPort(holder, new InetSocketAddress(host, holder.getLocalPort()));
                if (!port.canBeListenedOn()) {
                    holder.close();
                }
                return port;
            } catch (IOException | RuntimeException e) {
                holder.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on " + host, e);
        }
    }

    private boolean canBeListenedOn() {
        try (ServerSocket listener = new ServerSocket()) {
            listener.bind(address);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    String host() {
        return address.getAddress().getHostAddress();
    }

    /** Host and port, as {@link RendezvousAddress#parse} reads them. */
    public String text() {
        return RendezvousAddress.of(host(), new PortRange(number(), number())).toString();
    }

    /** The port. */
    public int number() {
        return address.getPort();
    }

    /** Whether nobody else is given the port. */
    boolean isKept() {
        return !holder.isClosed();
    }

    /** Gives the port back. */
    @Override
    public void close() {
        try {
            holder.close();
        } catch (IOException e) {
            throw new UncheckedIOException("port " + number() + " cannot be given back", e);
        }
    }
}
