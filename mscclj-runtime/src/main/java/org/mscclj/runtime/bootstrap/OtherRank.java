package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.socket.Connector;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.socket.Credentials;
import org.mscclj.runtime.socket.Listeners;
import org.mscclj.runtime.socket.Purpose;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.network.PublishedAddress;

/**
 * A rank other than 0. It comes to the rendezvous, and connects to the ranks between 0 and itself, while the ranks
 * above connect to it.
 *
 * @param credentials the identity of this rank
 * @param address the address at which rank 0 waits
 * @param controlPorts ports for the connections of higher ranks
 * @param deadline the end of this rank's timeout
 * @param timeout the timeout, for messages
 */
record OtherRank(
        Credentials credentials,
        RendezvousAddress address,
        PortRange controlPorts,
        Deadline deadline,
        Duration timeout) {
    /** At the timeout of this rank, rank 0 names the missing ranks; its answer takes a moment. */
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final int TRY_MILLIS = 500;

    /**
     * Connects to rank 0.
     *
     * @param credentials the identity of this rank
     * @param addresses possible addresses of rank 0; called again before each round of tries
     * @throws OperationTimeoutException if rank 0 does not answer in time
     */
    static ControlSocket meetRankZero(
            Credentials credentials,
            Optional<InetAddress> local,
            Supplier<List<InetSocketAddress>> addresses,
            Deadline deadline,
            Duration timeout) {
        try {
            return new Connector(credentials, local).connect(Purpose.RENDEZVOUS, 0, addresses, deadline);
        } catch (Connector.UnreachableException e) {
            throw new OperationTimeoutException(
                    "rendezvous: rank " + credentials.handshake().rank() + " of "
                            + credentials.handshake().size() + " waited " + DurationText.of(timeout)
                            + " for rank 0; the last try: "
                            + e.getMessage()
                            + "; start rank 0, give all ranks the same address and secret, or raise the timeout",
                    List.of(0));
        }
    }

    /** Returns whether a process, rank 0 or another one, accepts connections at an address. */
    static boolean somebodyListens(RendezvousAddress address) {
        List<InetSocketAddress> candidates;
        try {
            candidates = HostAddresses.candidates(address);
        } catch (UncheckedIOException e) {
            return false; // no process can be reached by a name that is not known
        }
        return candidates.stream().anyMatch(candidate -> {
            try (Socket socket = new Socket()) {
                socket.connect(candidate, TRY_MILLIS);
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    /**
     * Registers with rank 0, connects to all other ranks, and waits until all ranks are connected.
     *
     * @param zero the connection to rank 0, which is closed if this method fails
     * @return the connection to each rank
     */
    Map<Integer, ControlSocket> join(ControlSocket zero) {
        PublishedAddress.connected(zero.localAddress(), zero.remoteAddress());
        try (HigherRanks higher =
                new HigherRanks(Listeners.bind(hostToBind(zero), controlPorts), credentials, Map.of(0, zero))) {
            try {
                return join(zero, higher);
            } catch (RuntimeException e) {
                // before the connections end, so that all ranks report this failure, and not the loss of this rank
                Registration.Failed.of(e).ifPresent(failed -> tell(zero, failed));
                throw e;
            }
        } catch (RuntimeException e) {
            zero.close();
            throw e;
        }
    }

    private Map<Integer, ControlSocket> join(ControlSocket zero, HigherRanks higher) {
        List<Registration.Place> places = register(zero, higher.port());
        RendezvousVerdict lastWord = new RendezvousVerdict(zero, higher::fail);
        int rank = credentials.handshake().rank();
        for (int lower = 1; lower < rank; lower++) {
            higher.add(lower, connect(lower, places.get(lower), zero, higher));
        }
        higher.awaitAll(deadline, timeout);
        tell(zero, new Registration.Connected());
        lastWord.await(deadline.later(ANSWER));
        return higher.take();
    }

    private static void tell(ControlSocket zero, Registration registration) {
        try {
            zero.write(Registration.encode(registration));
            zero.flush();
        } catch (IOException e) {
            // the thread that reads from rank 0 notices that it is lost
        }
    }

    private InetAddress hostToBind(ControlSocket zero) {
        InetAddress local = zero.localAddress();
        return local.isLoopbackAddress() && !HostAddresses.isLoopback(address) ? HostAddresses.wildcard() : local;
    }

    private List<Registration.Place> register(ControlSocket zero, int controlPort) {
        int rank = credentials.handshake().rank();
        try {
            Duration left = Duration.ofNanos(Math.max(NANOS_PER_MILLI, deadline.left()));
            zero.write(Registration.encode(new Registration.Came(controlPort, left)));
            zero.flush();
            zero.readTimeout(left.plus(ANSWER));
            Registration answer = Registration.decode(zero.read());
            zero.readTimeout(Duration.ZERO);
            return switch (answer) {
                case Registration.Everybody everybody
                when everybody.places().size() == credentials.handshake().size() -> everybody.places();
                case Registration.Failed failed -> throw failed.exception();
                case Registration other -> throw new IOException("it answers as if it were another rank: " + other);
            };
        } catch (SocketTimeoutException e) {
            throw new OperationTimeoutException(
                    "rendezvous: rank " + rank + " waited " + DurationText.of(timeout)
                            + " for rank 0 to say that all ranks have come; it is there, but stays silent",
                    List.of(0));
        } catch (IOException e) {
            throw RendezvousVerdict.lost(e);
        }
    }

    private ControlSocket connect(int peer, Registration.Place place, ControlSocket zero, HigherRanks higher) {
        // an address that only rank 0 can use means that the peer is on rank 0's host
        InetAddress host = place.host().isLoopbackAddress()
                ? zero.remoteAddress()
                : HostAddresses.onLinkOf(place.host(), zero.localAddress());
        List<InetSocketAddress> addresses = List.of(new InetSocketAddress(host, place.port()));
        try {
            return new Connector(credentials, HostAddresses.ofInterface(address, deadline))
                    .connect(
                            Purpose.CONTROL,
                            peer,
                            () -> {
                                higher.requireNoFailure(); // before each try
                                return addresses;
                            },
                            deadline);
        } catch (Connector.UnreachableException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new AbortedException("interrupted while connecting to rank " + peer);
            }
            throw new OperationTimeoutException(
                    "bootstrap: rank " + credentials.handshake().rank() + " waited " + DurationText.of(timeout)
                            + " for rank " + peer
                            + ", which came to the rendezvous but cannot be reached: " + e.getMessage()
                            + "; look whether it has ended, and whether a firewall is between",
                    List.of(peer));
        }
    }
}
