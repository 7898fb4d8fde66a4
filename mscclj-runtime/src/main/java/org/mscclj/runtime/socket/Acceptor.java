package org.mscclj.runtime.socket;

import java.io.EOFException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.thread.ControlThreads;
import org.mscclj.spi.protection.StrangerLimit;
import org.mscclj.spi.waiting.Backoff;

/**
 * Accepts connections from ranks of the group. Each connection proves itself in its own thread, so that a silent
 * stranger blocks no other connection; the number of connections that do so at once is limited.
 */
public final class Acceptor implements AutoCloseable {
    /** Minimum time that a connection has to prove itself, however many other connections arrive. */
    private static final long GRACE_NANOS = 250_000_000;

    private static final long PAUSE_NANOS = 100_000_000;
    private static final long SHORT_PAUSE_NANOS = 2_000_000;

    private final ServerSocket listener;
    private final Credentials credentials;
    private final Purpose purpose;
    private final Arrival arrival;
    private final Strangers strangers = new Strangers(StrangerLimit.ofProcess(), GRACE_NANOS);
    private final AtomicInteger refused = new AtomicInteger();
    private @Nullable String lastRefusal;
    private boolean lastIsOfMember;
    private volatile boolean closed;

    /** Receives the connection of every rank that has proved itself. */
    @FunctionalInterface
    public interface Arrival {
        /** Handles the connection of a rank. The callee owns the socket. Called in the connection's own thread. */
        void arrived(int rank, ControlSocket socket) throws IOException;
    }

    /** Starts to accept on a listener, and closes the listener in the end. */
    public Acceptor(ServerSocket listener, Credentials credentials, Purpose purpose, Arrival arrival) {
        this.listener = listener;
        this.credentials = credentials;
        this.purpose = purpose;
        this.arrival = arrival;
        ControlThreads.start("mscclj-accept-" + listener.getLocalPort(), this::accept);
    }

    private void accept() {
        while (!closed) {
            Socket socket;
            try {
                socket = listener.accept();
            } catch (IOException e) {
                if (closed || listener.isClosed()) {
                    return;
                }
                refused(e.toString(), false); // for example, no file descriptor was free: after a while one may be
                Backoff.nap(PAUSE_NANOS);
                continue;
            }
            for (long wait = strangers.makeRoom(); wait > 0 && !closed; wait = strangers.makeRoom()) {
                Backoff.nap(Math.min(wait, SHORT_PAUSE_NANOS));
            }
            strangers.add(socket);
            if (closed) {
                strangers.close();
                return;
            }
            try {
                ControlThreads.execute(() -> prove(socket));
            } catch (RuntimeException | Error e) { // no thread can be started: a later connection may get one
                refused(socket.getRemoteSocketAddress() + ": " + e, false);
                boolean _ = strangers.remove(socket);
                ControlSocket.closeQuietly(socket);
            }
        }
    }

    private void prove(Socket socket) {
        try {
            ControlSocket.Accepted accepted = ControlSocket.accepting(
                    socket, credentials, purpose, () -> strangers.remove(socket)); // then this object does not close it
            if (closed) {
                accepted.socket().close();
            } else {
                arrival.arrived(accepted.rank(), accepted.socket());
            }
        } catch (IOException
                | RuntimeException
                | LinkageError e) { // whatever the failure is: the stranger must not keep the connection
            refused(socket.getRemoteSocketAddress() + ": " + why(e), isOfMember(e));
            ControlSocket.closeQuietly(socket);
        } finally {
            boolean _ = strangers.remove(socket);
        }
    }

    private static boolean isOfMember(Throwable e) {
        return e instanceof HandshakeException refusal && refusal.isOfMember();
    }

    private static String why(Throwable e) {
        if (e instanceof EOFException) {
            return "it ended the connection before it had proved that it belongs to the group";
        }
        return Optional.ofNullable(e.getMessage()).orElse(e.toString());
    }

    /** Records a refusal. The refusal of a stranger does not hide the refusal of a peer that knows the secret. */
    private synchronized void refused(String why, boolean ofMember) {
        if (ofMember || !lastIsOfMember) {
            lastRefusal = why;
            lastIsOfMember = ofMember;
        }
        refused.incrementAndGet();
    }

    /** Returns the number of refused connections, and the refusal that explains most; empty if none was refused. */
    public synchronized Optional<String> refusals() {
        int times = refused.get();
        return Optional.ofNullable(lastRefusal)
                .map(last -> times == 1
                        ? "1 connection was refused, from " + last
                        : times + " connections were refused, among them one from " + last);
    }

    /** Returns the port on which this object listens. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Accepts no more connections, and ends connections that have not proved themselves. Idempotent. */
    @Override
    public void close() {
        closed = true;
        ControlSocket.closeQuietly(listener);
        strangers.close();
    }
}
