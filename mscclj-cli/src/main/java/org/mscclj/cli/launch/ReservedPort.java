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
 * A free port of this machine that is reserved for a later process. A socket that is bound but does not listen keeps
 * the system from assigning the port to another process, but a process can still listen on it if it names the port and
 * reuses addresses, as Java does. On systems without this behaviour the port is only free at the moment.
 */
public final class ReservedPort implements AutoCloseable {
    private final Socket holder;
    private final InetSocketAddress address;

    private ReservedPort(Socket holder, InetSocketAddress address) {
        this.holder = holder;
        this.address = address;
    }

    /** Reserves a port. */
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

    /** Returns host and port in the form that {@link RendezvousAddress#parse} reads. */
    public String text() {
        return RendezvousAddress.of(host(), new PortRange(number(), number())).toString();
    }

    /** Returns the port. */
    public int number() {
        return address.getPort();
    }

    /** Whether the system assigns the port to no other process. */
    boolean isKept() {
        return !holder.isClosed();
    }

    /** Releases the port. */
    @Override
    public void close() {
        try {
            holder.close();
        } catch (IOException e) {
            throw new UncheckedIOException("port " + number() + " cannot be released", e);
        }
    }
}
