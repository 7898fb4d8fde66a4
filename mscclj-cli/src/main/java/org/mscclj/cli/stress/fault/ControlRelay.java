package org.mscclj.cli.stress.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.cli.launch.ReservedPort;
import org.mscclj.spi.waiting.Backoff;

/**
 * Relays the control connections of processes on this host, so that all connections of a rank can be cut. Each rank
 * reaches the others at a loopback address of its own, at which the relay listens on their ports; this tells the relay
 * both ends of each connection. Needs a system that accepts all addresses of 127.0.0.0/8.
 */
final class ControlRelay implements AutoCloseable {
    private static final int NOBODY = -1;
    private static final int CHUNK = 8192;
    private static final long PAUSE_NANOS = 5_000_000;
    private static final byte[] RANKS_LISTEN_AT = {127, 0, 0, 1};

    private final List<ReservedPort> ports = new ArrayList<>();
    private final List<ServerSocket> listeners = new ArrayList<>();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile int cut = NOBODY;
    private volatile boolean closed;

    /** A connection from a rank to a lower one, in two halves. */
    private record Link(int from, int to, Socket near, Socket far) {
        boolean isOf(int rank) {
            return from == rank || to == rank;
        }

        void close() {
            closeQuietly(near);
            closeQuietly(far);
        }
    }

    /** Listens on behalf of every rank. */
    ControlRelay(int ranks) {
        try {
            for (int rank = 0; rank < ranks; rank++) {
                ports.add(ReservedPort.on(InetAddress.getByAddress(RANKS_LISTEN_AT)));
            }
            for (int from = 1; from < ranks; from++) {
                for (int to = 0; to < from; to++) {
                    listen(from, to);
                }
            }
        } catch (IOException e) {
            close();
            throw new UncheckedIOException(
                    "connections cannot be relayed: the system must accept all addresses of 127.0.0.0/8", e);
        }
    }

    private static InetAddress seenBy(int rank) throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, (byte) (1 + rank / 200), (byte) (1 + rank % 200)});
    }

    private void listen(int from, int to) throws IOException {
        ServerSocket listener = new ServerSocket();
        listeners.add(listener);
        listener.bind(new InetSocketAddress(seenBy(from), port(to)));
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    Socket near = listener.accept();
                    Thread.ofVirtual().start(() -> carry(from, to, near));
                }
            } catch (IOException _) {
                // closed
            }
        });
    }

    /** Returns the port on which a rank must listen. */
    int port(int rank) {
        return ports.get(rank).number();
    }

    /** Returns the address at which a rank reaches rank 0. */
    String address(int rank) {
        try {
            InetAddress host = rank == 0 ? InetAddress.getByAddress(RANKS_LISTEN_AT) : seenBy(rank);
            return host.getHostAddress() + ":" + port(0);
        } catch (IOException e) {
            throw new UncheckedIOException("four bytes are an address", e);
        }
    }

    /** Cuts all connections of a rank at once: bytes that are sent from now on do not arrive on any of them. */
    void cut(int rank) {
        cut = rank;
        links.stream().filter(link -> link.isOf(rank)).forEach(Link::close);
    }

    private void carry(int from, int to, Socket near) {
        Socket far = connected(to);
        Link link = new Link(from, to, near, far);
        links.add(link);
        if (closed || link.isOf(cut)) {
            link.close();
        }
        Thread.ofVirtual().start(() -> pump(link, near, far));
        pump(link, far, near);
    }

    /** Connects to a rank, which may not listen yet. */
    private Socket connected(int to) {
        while (!closed) {
            Socket far = new Socket();
            try {
                far.connect(new InetSocketAddress(InetAddress.getByAddress(RANKS_LISTEN_AT), port(to)));
                far.setTcpNoDelay(true);
                return far;
            } catch (IOException _) {
                closeQuietly(far);
                Backoff.nap(PAUSE_NANOS);
            }
        }
        return new Socket();
    }

    private void pump(Link link, Socket source, Socket target) {
        try {
            InputStream in = source.getInputStream();
            OutputStream out = target.getOutputStream();
            byte[] bytes = new byte[CHUNK];
            for (int count = in.read(bytes); count >= 0 && !link.isOf(cut); count = in.read(bytes)) {
                out.write(bytes, 0, count);
            }
        } catch (IOException _) {
            // one end is closed
        } finally {
            link.close();
        }
    }

    private static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception _) {
            // it is closed anyway
        }
    }

    @Override
    public void close() {
        closed = true;
        listeners.forEach(ControlRelay::closeQuietly);
        links.forEach(Link::close);
        ports.forEach(ControlRelay::closeQuietly);
    }
}
