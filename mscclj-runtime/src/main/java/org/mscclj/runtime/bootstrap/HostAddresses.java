package org.mscclj.runtime.bootstrap;

import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.network.PublishedAddress;
import org.mscclj.spi.waiting.Backoff;

/** Addresses of this host and of the host of rank 0. */
public final class HostAddresses {
    private static final long PAUSE_NANOS = 200_000_000;

    /** Names of loopback addresses on Debian and other systems. */
    private static final Set<String> LOOPBACK_NAMES =
            Set.of("localhost", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback", "localhost.localdomain");

    private HostAddresses() {}

    /**
     * Resolves the host of a rendezvous. Each call resolves it again, because the answer may change while ranks start.
     *
     * @throws UncheckedIOException if the host is not known
     */
    static List<InetAddress> resolve(RendezvousAddress address) {
        try {
            return List.of(InetAddress.getAllByName(address.host()));
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(
                    "the host of address " + address
                            + " is not known; use its IP address, or a name that this host can look up",
                    e);
        }
    }

    /**
     * Resolves the host of a rendezvous, again and again until it is known.
     *
     * @throws InvalidArgumentException if the host is not known at the deadline
     */
    private static List<InetAddress> resolve(RendezvousAddress address, Deadline deadline) {
        Backoff pauses = Backoff.every(PAUSE_NANOS);
        pauses.start(deadline.left());
        while (true) {
            try {
                return resolve(address);
            } catch (UncheckedIOException e) {
                if (Thread.currentThread().isInterrupted() || !pauses.pause()) {
                    throw new InvalidArgumentException(String.valueOf(e.getMessage()), e);
                }
            }
        }
    }

    /**
     * Returns every address and port at which rank 0 may listen.
     *
     * @throws UncheckedIOException if the host is not known; a later call may succeed
     */
    public static List<InetSocketAddress> candidates(RendezvousAddress address) {
        List<InetAddress> hosts = resolve(address);
        return IntStream.rangeClosed(address.ports().first(), address.ports().last())
                .boxed()
                .flatMap(port -> hosts.stream().map(host -> new InetSocketAddress(host, port)))
                .toList();
    }

    /** Returns the address of this host on the interface that a rendezvous names; empty if it names none. */
    public static Optional<InetAddress> ofInterface(RendezvousAddress address, Deadline deadline) {
        return address.interfaceName().map(name -> ofInterface(name, address, resolve(address, deadline)));
    }

    private static InetAddress ofInterface(String name, RendezvousAddress address, List<InetAddress> peers) {
        try {
            NetworkInterface found = NetworkInterface.getByName(name);
            if (found == null) {
                throw InvalidArgumentException.of(
                        "interface",
                        name,
                        "one of "
                                + NetworkInterface.networkInterfaces()
                                        .map(NetworkInterface::getName)
                                        .toList());
            }
            return found.inetAddresses()
                    .filter(own -> peers.stream().anyMatch(peer -> own.getClass() == peer.getClass()))
                    .min(Comparator.comparingInt(own -> peers.contains(own) ? 0 : own.isLinkLocalAddress() ? 2 : 1))
                    .orElseThrow(() -> new InvalidArgumentException("interface " + name
                            + " has no address of the kind of " + address.host() + "; use another interface"));
        } catch (SocketException e) {
            throw new InvalidArgumentException("interface " + name + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the addresses to which rank 0 tries to bind, in this order, until one succeeds: the resolved addresses,
     * those of this host first. If the host is a name that this host maps to its loopback device, as many hosts do, the
     * result is the wildcard address: other hosts could not connect to the loopback device.
     */
    public static List<InetAddress> toBind(RendezvousAddress address, Deadline deadline) {
        Optional<InetAddress> chosen = ofInterface(address, deadline);
        if (chosen.isPresent()) {
            return List.of(chosen.get());
        }
        List<InetAddress> resolved = resolve(address, deadline);
        if (resolved.stream().allMatch(InetAddress::isLoopbackAddress) && !isLoopback(address)) {
            return List.of(wildcard());
        }
        return resolved.stream()
                .sorted(Comparator.comparingInt(own -> isOwn(own) ? 0 : 1))
                .toList();
    }

    private static boolean isOwn(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Returns the address that stands for every address of this host. */
    static InetAddress wildcard() {
        try {
            return InetAddress.getByAddress(new byte[4]);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    /** Returns whether an address means that all ranks are on this host. */
    static boolean isLoopback(RendezvousAddress address) {
        String host = address.host().toLowerCase(Locale.ROOT);
        if (LOOPBACK_NAMES.contains(host) || host.endsWith(".localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false; // a name
        }
    }

    /**
     * Returns an address as this rank reaches it: a link-local address gets the link over which this rank reaches rank
     * 0.
     *
     * @param told the address that another rank sees
     * @param own this rank's address on that link
     */
    static InetAddress onLinkOf(InetAddress told, InetAddress own) {
        if (!(told instanceof Inet6Address link) || !link.isLinkLocalAddress() || !(own instanceof Inet6Address here)) {
            return told;
        }
        try {
            return Inet6Address.getByAddress(null, link.getAddress(), here.getScopeId());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are an address", e);
        }
    }

    /**
     * Returns the address by which other hosts most likely reach this host, or the address that the environment names;
     * loopback if the host has no other address.
     */
    static InetAddress ofThisHost() {
        return PublishedAddress.of(System.getenv());
    }
}
