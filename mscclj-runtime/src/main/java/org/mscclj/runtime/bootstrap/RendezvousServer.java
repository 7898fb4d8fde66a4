package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.socket.Acceptor;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.socket.Credentials;
import org.mscclj.runtime.socket.HandshakeException;
import org.mscclj.runtime.socket.Purpose;
import org.mscclj.runtime.thread.ControlThreads;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.network.PublishedAddress;

/**
 * Rank 0 at the rendezvous. It waits for all other ranks, sends the addresses of all ranks to each, and waits until all
 * ranks are connected to all. The connections stay open, as control connections of rank 0. Rank 0 reads from each guest
 * during the whole set-up, so that the loss of one guest ends the set-up for all ranks at once. The first failure of
 * any rank is sent to all ranks, so that all name the ranks of one failure.
 */
final class RendezvousServer implements AutoCloseable {
    /** How long after its own timeout a rank has reported which ranks it misses, even on a busy machine. */
    private static final Duration REPORT = Duration.ofSeconds(1);

    /** How long guests have to read why the group does not form, before rank 0 ends the connections. */
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private final int size;
    private final Duration timeout;
    private final WaitReport report;
    private final Acceptor acceptor;
    private final Map<Integer, RegisteredPeer> guests = new TreeMap<>();
    private final Set<Integer> connected = new HashSet<>();
    private int listening;
    private Registration.@Nullable Failed failure;
    private Deadline deadline;
    private @Nullable RegisteredPeer firstToGiveUp;
    private boolean over;

    /** Starts to wait for the other ranks. */
    RendezvousServer(ServerSocket listener, Credentials credentials, Duration timeout, WaitReport report) {
        this.size = credentials.handshake().size();
        this.timeout = timeout;
        this.report = report;
        this.deadline = Deadline.after(timeout);
        this.acceptor = new Acceptor(listener, credentials, Purpose.RENDEZVOUS, (rank, socket) -> {
            socket.readTimeout(credentials.handshakeLimit());
            if (Registration.decode(socket.read()) instanceof Registration.Came came) {
                socket.readTimeout(Duration.ZERO);
                arrived(new RegisteredPeer(rank, socket, came));
            } else {
                throw new HandshakeException("rank " + rank + " does not register");
            }
        });
    }

    private synchronized void arrived(RegisteredPeer guest) throws IOException {
        RegisteredPeer first = guests.get(guest.rank());
        if (over) {
            guest.socket().close();
        } else if (first != null) {
            String message = "two processes say that they are rank " + guest.rank() + " of " + size + ": one at "
                    + first.socket() + ", and one at " + guest.socket() + "; give each process a rank of its own";
            guest.tell(new Registration.Failed(Registration.Failure.REFUSED, List.of(guest.rank()), message));
            guest.socket().close();
            throw new HandshakeException(message);
        } else {
            guests.put(guest.rank(), guest);
            PublishedAddress.connected(
                    guest.socket().localAddress(), guest.socket().remoteAddress());
            Deadline ofGuest = Deadline.after(guest.came().timeout());
            if (!deadline.earlier(ofGuest).equals(deadline)) {
                deadline = ofGuest;
                firstToGiveUp = guest;
            }
            listening++;
            ControlThreads.start("mscclj-rendezvous-" + guest.rank(), () -> listen(guest));
            notifyAll();
        }
    }

    private void listen(RegisteredPeer guest) {
        Registration said = guest.hear();
        synchronized (this) {
            listening--;
            if (!(said instanceof Registration.Failed failed)) {
                connected.add(guest.rank());
            } else if (failure == null) {
                failure = failed;
            }
            notifyAll();
        }
    }

    /**
     * Waits for all ranks, and until all are connected to all.
     *
     * @return the connection to each rank
     * @throws OperationTimeoutException if some ranks do not come in time, or other ranks cannot reach them in time;
     *     names them
     * @throws RankLostException if a rank that came is lost
     */
    Map<Integer, ControlSocket> awaitAll() {
        try {
            awaitArrivals();
            List<Registration.Place> places = new ArrayList<>();
            places.add(new Registration.Place(InetAddress.getLoopbackAddress(), acceptor.port()));
            guests.values()
                    .forEach(guest -> places.add(new Registration.Place(
                            guest.socket().remoteAddress(), guest.came().controlPort())));
            tellAll(new Registration.Everybody(places));
            awaitConnected();
        } catch (RuntimeException e) {
            Registration.Failed.of(e).ifPresent(this::tellAll);
            end();
            throw e;
        }
        Map<Integer, ControlSocket> sockets = new HashMap<>();
        guests.forEach((rank, guest) -> {
            guest.tell(new Registration.Formed()); // a rank that has ended by now is lost, which the mesh notices
            sockets.put(rank, guest.socket());
        });
        return sockets;
    }

    private void awaitArrivals() {
        try {
            synchronized (this) {
                // the loss of a guest does not end this wait: later ranks must learn of it, and find rank 0 here
                if (!await(
                        Duration.ZERO,
                        () -> guests.size() == size - 1,
                        () -> "at port " + acceptor.port() + " for ranks " + missingOf(guests.keySet()))) {
                    throw timedOut();
                }
                requireNoFailure();
            }
        } finally {
            synchronized (this) {
                over = true;
            }
            acceptor.close(); // before another process can open the next group at this address
        }
    }

    private synchronized void awaitConnected() {
        if (!await(
                REPORT,
                () -> failure != null || connected.size() == size - 1,
                () -> "for ranks " + missingOf(connected) + " to connect to all others")) {
            List<Integer> missing = missingOf(connected);
            throw new OperationTimeoutException(
                    "bootstrap: rank 0 of " + size + " waited " + waited() + "for ranks " + missing
                            + " to connect to all others; look whether a firewall is between",
                    missing);
        }
        requireNoFailure();
    }

    private void requireNoFailure() {
        if (failure != null) {
            throw failure.exception();
        }
    }

    /**
     * Waits until a condition holds. Returns false if it does not hold when the deadline has passed by {@code more}.
     *
     * @param what the subject of the wait, for the reports to the user
     */
    private boolean await(Duration more, BooleanSupplier condition, Supplier<String> what) {
        try {
            while (!condition.getAsBoolean()) {
                long left = deadline.later(more).left();
                if (left == 0) {
                    return false;
                }
                report.tell(timeout, () -> "rendezvous: rank 0 of " + size + " waits " + what.get());
                TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, Math.max(1, report.left())));
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while waiting for other ranks at the rendezvous", e);
        }
    }

    /** Returns how long rank 0 waited: its own timeout, or until the timeout of another rank was over. */
    private String waited() {
        return firstToGiveUp == null
                ? DurationText.of(timeout) + " "
                : "until the timeout of rank " + firstToGiveUp.rank() + " was over ";
    }

    private OperationTimeoutException timedOut() {
        List<Integer> missing = missingOf(guests.keySet());
        return new OperationTimeoutException(
                "rendezvous: rank 0 of " + size + " waited " + waited() + "for ranks " + missing
                        + ", which did not come to port " + acceptor.port()
                        + Optional.ofNullable(failure)
                                .map(failed -> "; " + failed.message())
                                .orElse("")
                        + acceptor.refusals().map(refusals -> "; " + refusals).orElse("")
                        + "; start them, look whether they end early, or raise the timeout",
                missing);
    }

    private List<Integer> missingOf(Set<Integer> ranks) {
        return IntStream.range(1, size)
                .filter(rank -> !ranks.contains(rank))
                .boxed()
                .toList();
    }

    private void tellAll(Registration registration) {
        guests.values().forEach(guest -> guest.tell(registration));
    }

    /** Closes the connections after the guests have closed theirs. An earlier close would lose the last message. */
    private synchronized void end() {
        Deadline limit = Deadline.after(FAREWELL);
        try {
            for (long left = limit.left(); listening > 0 && left > 0; left = limit.left()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        guests.values().forEach(guest -> guest.socket().close());
    }

    @Override
    public void close() {
        acceptor.close();
    }
}
