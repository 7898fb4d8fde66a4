package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.socket.Acceptor;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.socket.Credentials;
import org.mscclj.runtime.socket.HandshakeException;
import org.mscclj.runtime.socket.Purpose;

/**
 * Rank 0 at the rendezvous: waits for all others, and tells each where the rest are. The connections stay, as rank 0's control connections.
 * The first time-out of any rank ends it for all, so that all name the same missing ranks.
 */
final class RankZero implements AutoCloseable {
    private final int size;
    private final Duration timeout;
    private final Acceptor acceptor;
    private final Map<Integer, Guest> guests = new TreeMap<>();
    private long deadline;
    private boolean over;

    private record Guest(ControlSocket socket, Registration.Came came) {}

    /** Starts to wait. */
    RankZero(ServerSocket listener, Credentials credentials, Duration timeout) {
        this.size = credentials.handshake().size();
        this.timeout = timeout;
        this.deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
        this.acceptor = new Acceptor(listener, credentials, Purpose.RENDEZVOUS, (rank, socket) -> {
            socket.readTimeout(credentials.handshakeLimit());
            if (Registration.decode(socket.read()) instanceof Registration.Came came) {
                socket.readTimeout(Duration.ZERO);
                arrived(rank, new Guest(socket, came));
            } else {
                throw new HandshakeException("rank " + rank + " does not register");
            }
        });
    }

    private synchronized void arrived(int rank, Guest guest) throws IOException {
        Guest first = guests.get(rank);
        if (over) {
            guest.socket.close();
        } else if (first != null) {
            String message = "two processes say that they are rank " + rank + " of " + size + ": one at " + first.socket
                    + ", and one at " + guest.socket + "; give each process a rank of its own";
            tell(guest, new Registration.Failed(Optional.empty(), message));
            guest.socket.close();
            throw new HandshakeException(message);
        } else {
            guests.put(rank, guest);
            deadline =
                    Math.min(deadline, System.nanoTime() + guest.came.patience().toNanos());
            notifyAll();
        }
    }

    /**
     * Waits for all ranks.
     *
     * @return the connection to each
     * @throws OperationTimeoutException if some do not come in time; names them
     */
    Map<Integer, ControlSocket> awaitAll() {
        try {
            awaitArrivals();
        } catch (RuntimeException e) {
            fail(e);
            throw e;
        } finally {
            acceptor.close(); // before anybody can open the next group at the same address
        }
        List<Registration.Place> places = new ArrayList<>();
        places.add(new Registration.Place(InetAddress.getLoopbackAddress(), acceptor.port()));
        guests.values()
                .forEach(guest ->
                        places.add(new Registration.Place(guest.socket.remoteAddress(), guest.came.controlPort())));
        Map<Integer, ControlSocket> sockets = new HashMap<>();
        guests.forEach((rank, guest) -> {
            tell(guest, new Registration.Everybody(places)); // whoever is gone by now is lost, which the mesh notices
            sockets.put(rank, guest.socket);
        });
        return sockets;
    }

    private synchronized void awaitArrivals() {
        try {
            while (guests.size() < size - 1) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw timedOut();
                }
                wait(Math.max(1, left / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while waiting for other ranks at the rendezvous", e);
        } finally {
            over = true;
        }
    }

    private OperationTimeoutException timedOut() {
        List<Integer> missing = IntStream.range(1, size)
                .filter(rank -> !guests.containsKey(rank))
                .boxed()
                .toList();
        return new OperationTimeoutException(
                "rendezvous: rank 0 of " + size + " waited " + timeout
                        + ", or as long as a rank that has come, for ranks "
                        + missing + ", which did not come to port " + acceptor.port()
                        + acceptor.refusals().map(refusals -> "; " + refusals).orElse("")
                        + "; start them, look whether they end early, or raise the timeout",
                missing);
    }

    private synchronized void fail(RuntimeException e) {
        Registration.Failed failed = new Registration.Failed(
                e instanceof OperationTimeoutException timedOut
                        ? Optional.of(timedOut.missingRanks())
                        : Optional.empty(),
                String.valueOf(e.getMessage()));
        guests.values().forEach(guest -> {
            tell(guest, failed);
            guest.socket.close();
        });
    }

    private static void tell(Guest guest, Registration registration) {
        try {
            guest.socket.write(Registration.encode(registration));
            guest.socket.flush();
        } catch (IOException e) {
            guest.socket.close(); // the mesh sees that, and says that the rank is lost
        }
    }

    @Override
    public void close() {
        acceptor.close();
    }
}
