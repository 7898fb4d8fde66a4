package org.mscclj.runtime.bootstrap;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.Rendezvous;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.socket.Credentials;
import org.mscclj.runtime.socket.GroupIdentity;
import org.mscclj.runtime.socket.Handshake;
import org.mscclj.runtime.socket.Listeners;
import org.mscclj.runtime.socket.SharedSecret;
import org.mscclj.runtime.socket.SocketSecurity;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.waiting.Backoff;

/** Connects one rank to all other ranks. */
public final class Bootstrap {
    /**
     * How long a rank tries the address and secret from a meeting place before it reads the meeting place again. They
     * may be those of an earlier job, whose port now belongs to another program that sends nothing. If the meeting
     * place still holds these values, the rank tries twice as long, because the right rank 0 may be slow.
     */
    private static final Duration FIRST_TRUST = Duration.ofMillis(500);

    private static final long PAUSE_NANOS = 2_000_000;

    private static final System.Logger LOGGER = System.getLogger(Bootstrap.class.getName());

    private final CommunicatorOptions options;
    private final Rendezvous rendezvous;
    private final Duration handshakeLimit;
    private final SocketSecurity security;
    private final Deadline deadline;
    private final WaitReport report = WaitReport.begin();

    /** Throws if rank 0 is known to be lost. */
    private final Runnable requireRankZero;

    private Bootstrap(CommunicatorOptions options, Duration handshakeLimit, Runnable requireRankZero) {
        this.options = options;
        this.requireRankZero = requireRankZero;
        this.rendezvous = options.rendezvous();
        this.handshakeLimit = handshakeLimit;
        this.security = SocketSecurity.of(rendezvous.tls());
        this.deadline = Deadline.after(options.timeout());
    }

    /**
     * Connects this rank to all other ranks. Collective.
     *
     * @return a connection to each other rank; both ends have proved that they belong to the group
     * @throws OperationTimeoutException if ranks do not come in time; names them
     * @throws InvalidArgumentException if the address or the secret is missing, or the quorum is over
     */
    public static Map<Integer, ControlSocket> connect(CommunicatorOptions options) {
        return connect(options, () -> {});
    }

    /**
     * Connects this rank to all other ranks, like {@link #connect(CommunicatorOptions)}.
     *
     * @param requireRankZero runs while this rank waits for rank 0; throws if rank 0 will not come
     */
    public static Map<Integer, ControlSocket> connect(CommunicatorOptions options, Runnable requireRankZero) {
        Supplier<Map<Integer, ControlSocket>> meeting =
                () -> connect(options, Credentials.USUAL_LIMIT, requireRankZero);
        return options.quorum()
                .map(quorum -> new QuorumRecord(quorum, options.rank()).keep(meeting))
                .orElseGet(meeting);
    }

    /**
     * Connects this rank to all other ranks, like {@link #connect(CommunicatorOptions)}, with a time limit for proofs.
     */
    static Map<Integer, ControlSocket> connect(CommunicatorOptions options, Duration handshakeLimit) {
        return connect(options, handshakeLimit, () -> {});
    }

    private static Map<Integer, ControlSocket> connect(
            CommunicatorOptions options, Duration handshakeLimit, Runnable requireRankZero) {
        if (options.size() == 1) {
            return Map.of();
        }
        Bootstrap bootstrap = new Bootstrap(options, handshakeLimit, requireRankZero);
        Optional<RendezvousPoint> place = bootstrap.meetingPlace();
        return options.rank() == 0 ? bootstrap.asRankZero(place) : bootstrap.asOtherRank(place);
    }

    /** Returns the meeting place through which the ranks agree on address or secret; empty if both are known. */
    private Optional<RendezvousPoint> meetingPlace() {
        boolean secretKnown = rendezvous.secret().isPresent() || rendezvous.insecure();
        boolean portKnown =
                rendezvous.address().filter(address -> !address.ports().isAny()).isPresent();
        if (portKnown && secretKnown) {
            return Optional.empty();
        }
        if (rendezvous.store().isPresent()) {
            return Optional.of(storeMeeting(rendezvous.store().get()));
        }
        boolean oneHost = options.position().mayBeOnOneHost()
                || rendezvous.address().map(HostAddresses::isLoopback).orElse(false);
        Optional<String> job = rendezvous.job().or(() -> rendezvous.address().map(RendezvousAddress::toString));
        if (oneHost && job.isPresent()) {
            return Optional.of(JobFiles.of(job.get(), System.getenv()));
        }
        if (rendezvous.address().isEmpty()) {
            throw new InvalidArgumentException("rank " + options.rank() + " of " + options.size()
                    + " does not know where rank 0 is; set MSCCLJ_MASTER_ADDR and MSCCLJ_MASTER_PORT, or address in"
                    + " the options"
                    + (oneHost ? ", or, since all ranks are on one host, MSCCLJ_JOB to a name of this job" : ""));
        }
        if (!portKnown) {
            throw new InvalidArgumentException("rank 0 chooses the port of its address "
                    + rendezvous.address().get() + ", and nothing tells the others which; name a port, or a store");
        }
        throw new InvalidArgumentException("the group has no secret, by which its " + options.size()
                + " ranks on several hosts know each other; set MSCCLJ_SECRET to the same random text on all"
                + " ranks, for example from \"openssl rand -hex 32\", or MSCCLJ_INSECURE=1 if every process"
                + " that can reach the port may be trusted");
    }

    private StoreRendezvous storeMeeting(Store store) {
        return options.quorum()
                .map(quorum -> new StoreRendezvous(
                        store, quorum.id(), new QuorumRecord(quorum, options.rank())::requireNotLost))
                .orElseGet(() -> new StoreRendezvous(store, options.name(), () -> {}));
    }

    private Credentials credentials(SharedSecret secret) {
        return new Credentials(
                new Handshake(secret, options.rank(), options.size(), identity()), security, handshakeLimit);
    }

    /** Returns the identity of the group. Survivors and newcomers of a quorum may come from different jobs. */
    private GroupIdentity identity() {
        return GroupIdentity.ofJob(options.quorum()
                .map(quorum -> "quorum " + quorum.id())
                .or(rendezvous::job)
                .orElse(""));
    }

    private SharedSecret knownSecret() {
        return rendezvous.secret().map(SharedSecret::of).orElseGet(SharedSecret::insecure);
    }

    private Map<Integer, ControlSocket> asRankZero(Optional<RendezvousPoint> place) {
        ServerSocket listener = listen();
        if (place.isEmpty()) {
            return await(listener, knownSecret());
        }
        RendezvousPoint published = place.get();
        Map<Integer, ControlSocket> sockets;
        try {
            sockets = awaitAt(published, listener);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(published), e);
            throw e;
        }
        try {
            published.close();
        } catch (RuntimeException e) { // the other ranks know that the group is formed, and go on
            LOGGER.log(Level.WARNING, published + " cannot be removed, though all ranks have come", e);
        }
        return sockets;
    }

    private Map<Integer, ControlSocket> awaitAt(RendezvousPoint published, ServerSocket listener) {
        String secret = rendezvous.secret().orElseGet(UniqueId::randomSecret);
        int port = listener.getLocalPort();
        UniqueId id = new UniqueId(
                RendezvousAddress.of(hostOf(listener).getHostAddress(), new PortRange(port, port)),
                rendezvous.secret().isPresent() ? UniqueId.randomSecret() : secret); // the other ranks know it, too
        try {
            published.write(id);
        } catch (RuntimeException e) {
            ControlSocket.closeQuietly(listener); // no rank will know of it
            throw e;
        }
        return await(listener, SharedSecret.of(secret));
    }

    /** Returns the address by which other ranks reach a listener, which may be bound to all addresses. */
    private static InetAddress hostOf(ServerSocket listener) {
        InetAddress bound = listener.getInetAddress();
        return bound.isAnyLocalAddress() ? HostAddresses.ofThisHost() : bound;
    }

    private ServerSocket listen() {
        if (rendezvous.address().isEmpty()) {
            boolean oneHost = options.position().mayBeOnOneHost();
            return Listeners.bind(
                    oneHost ? InetAddress.getLoopbackAddress() : HostAddresses.ofThisHost(), PortRange.ANY);
        }
        RendezvousAddress address = rendezvous.address().get();
        return ReservedListeners.take(address)
                .orElseGet(() -> Listeners.bind(HostAddresses.toBind(address, deadline), address.ports()));
    }

    private Map<Integer, ControlSocket> await(ServerSocket listener, SharedSecret secret) {
        try (RendezvousServer zero = new RendezvousServer(listener, credentials(secret), options.timeout(), report)) {
            return zero.awaitAll();
        }
    }

    private Map<Integer, ControlSocket> asOtherRank(Optional<RendezvousPoint> place) {
        if (place.isPresent()) {
            return joinBy(place.get());
        }
        RendezvousAddress address = rendezvous.address().orElseThrow();
        Credentials credentials = credentials(knownSecret());
        ControlSocket zero = OtherRank.meetRankZero(
                credentials,
                HostAddresses.ofInterface(address, deadline),
                () -> { // resolved each time: a name may become known, or name another host
                    goOnWaiting(address.toString());
                    return HostAddresses.candidates(address);
                },
                deadline,
                options.timeout());
        return join(zero, credentials, address);
    }

    private Map<Integer, ControlSocket> joinBy(RendezvousPoint place) {
        String problem = "it has not written " + place;
        Optional<UniqueId> silent = Optional.empty();
        Duration trust = FIRST_TRUST;
        Backoff pauses = Backoff.every(PAUSE_NANOS);
        while (deadline.left() > 0) {
            goOnWaiting(place.toString());
            Optional<UniqueId> id = place.read();
            if (id.isPresent()) {
                RendezvousAddress address = id.get().address();
                Credentials credentials = credentials(
                        SharedSecret.of(rendezvous.secret().orElse(id.get().secret())));
                trust = silent.equals(id) ? longer(trust) : FIRST_TRUST;
                Deadline limit = deadline.earlier(Deadline.after(trust));
                Optional<ControlSocket> zero = Optional.empty();
                try {
                    zero = Optional.of(OtherRank.meetRankZero(
                            credentials,
                            Optional.empty(),
                            () -> {
                                goOnWaiting(place.toString());
                                requireSame(place, id);
                                return HostAddresses.candidates(address);
                            },
                            limit,
                            options.timeout()));
                } catch (OperationTimeoutException e) {
                    problem = place + " leads to no rank 0: " + e.getMessage();
                    silent = id;
                }
                if (zero.isPresent()) {
                    return joinOrAbandon(zero.get(), credentials, id.get(), place);
                }
            }
            boolean _ = pauses.pause("waiting for rank 0");
        }
        OperationTimeoutException late = new OperationTimeoutException(
                "rendezvous: rank " + options.rank() + " of " + options.size() + " waited "
                        + DurationText.of(options.timeout())
                        + " for rank 0: " + problem
                        + "; " + place.advice(),
                List.of(0));
        Optional<UniqueId> nobody = silent.filter(id -> !OtherRank.somebodyListens(id.address()));
        Resources.closeSuppressing(
                List.of(() -> nobody.ifPresent(place::abandon), place::removeUnfinished), // rank 0 may have been killed
                late);
        throw late;
    }

    /** Checks that rank 0 may still come, and reports the wait. Runs before each try to find rank 0. */
    private void goOnWaiting(String where) {
        requireRankZero.run();
        report.tell(
                options.timeout(),
                () -> "rendezvous: rank " + options.rank() + " of " + options.size() + " waits for rank 0 at " + where);
    }

    private Duration longer(Duration trust) {
        return trust.compareTo(handshakeLimit) < 0 ? trust.multipliedBy(2) : trust;
    }

    private static void requireSame(RendezvousPoint place, Optional<UniqueId> id) {
        if (!place.read().equals(id)) {
            throw new OperationTimeoutException("it has gone, or holds another address now", List.of(0));
        }
    }

    private Map<Integer, ControlSocket> joinOrAbandon(
            ControlSocket zero, Credentials credentials, UniqueId id, RendezvousPoint place) {
        try {
            return join(zero, credentials, id.address());
        } catch (RankLostException e) {
            if (e.rank() == 0) { // otherwise rank 0 removes it
                Resources.closeSuppressing(List.of(() -> place.abandon(id)), e);
            }
            throw e;
        }
    }

    private Map<Integer, ControlSocket> join(ControlSocket zero, Credentials credentials, RendezvousAddress address) {
        return new OtherRank(credentials, address, rendezvous.controlPorts(), deadline, options.timeout()).join(zero);
    }
}
