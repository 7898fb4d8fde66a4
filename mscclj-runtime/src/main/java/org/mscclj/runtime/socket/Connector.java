package org.mscclj.runtime.socket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.error.AbortedException;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.waiting.Backoff;

/**
 * Connects to a rank that may not listen yet: tries again until it does or the deadline has passed.
 *
 * @param credentials credentials of this rank
 * @param local the address of this host to connect from; empty for the address that routing selects
 */
public record Connector(Credentials credentials, Optional<InetAddress> local) {
    private static final long FIRST_PAUSE_NANOS = 2_000_000;
    private static final long MAX_PAUSE_NANOS = 200_000_000;

    /** Thrown if a rank could not be reached in time. */
    public static final class UnreachableException extends IOException {
        private static final long serialVersionUID = 1L;

        UnreachableException(String message) {
            super(message);
        }
    }

    /**
     * Connects.
     *
     * @param addresses possible addresses of the peer; called again before each round, also if it could not look them
     *     up and threw an {@link UncheckedIOException}
     * @param deadline deadline of all attempts
     * @throws UnreachableException if the deadline has passed; the exception names the last problem
     * @throws AbortedException if the thread is interrupted
     */
    public ControlSocket connect(
            Purpose purpose, int peer, Supplier<List<InetSocketAddress>> addresses, Deadline deadline)
            throws UnreachableException {
        Optional<String> problem = Optional.empty();
        Backoff pauses = Backoff.napping(FIRST_PAUSE_NANOS, MAX_PAUSE_NANOS);
        pauses.start(deadline.left());
        while (true) {
            List<InetSocketAddress> round = List.of();
            try {
                round = addresses.get();
            } catch (UncheckedIOException e) { // a name may become known later
                problem = Optional.of(String.valueOf(e.getMessage()));
            }
            for (InetSocketAddress address : round) {
                if (deadline.left() == 0) {
                    break;
                }
                try {
                    return connect(purpose, peer, address, deadline);
                } catch (IOException e) {
                    if (problem.isEmpty() || deadline.left() > 0) { // else it failed only because the deadline passed
                        problem = Optional.of(address + ": "
                                + Optional.ofNullable(e.getMessage()).orElse(e.toString()));
                    }
                }
            }
            if (!pauses.pause("connecting to rank " + peer)) {
                throw new UnreachableException(problem.orElse("no address to connect to became known"));
            }
        }
    }

    private ControlSocket connect(Purpose purpose, int peer, InetSocketAddress address, Deadline deadline)
            throws IOException {
        Socket socket = new Socket();
        try {
            if (local.isPresent()) {
                socket.bind(new InetSocketAddress(local.get(), 0));
            }
            long limit = Math.min(deadline.left(), credentials.handshakeLimit().toNanos());
            socket.connect(address, (int) Math.max(1, limit / 1_000_000));
            Credentials inTime = credentials.within(Duration.ofNanos(deadline.left()));
            return ControlSocket.connecting(socket, inTime, purpose, peer);
        } catch (IOException | RuntimeException e) {
            ControlSocket.closeQuietly(socket);
            throw e;
        }
    }
}
