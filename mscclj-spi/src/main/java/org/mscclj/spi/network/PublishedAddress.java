package org.mscclj.spi.network;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The address of this host that is published to peers. {@code MSCCLJ_INTERFACE} (names, with commas),
 * {@code MSCCLJ_ADDRESS_FAMILY} ({@code ipv4} or {@code ipv6}) and {@code MSCCLJ_NETWORK} (a prefix as
 * {@code 10.1.0.0/16}) choose. Without them it is the address over which rank 0 and this rank are connected, or else
 * the address of the first interface that is up and neither a loopback device nor a tunnel nor a bridge of containers.
 * Safe for use by several threads.
 */
public final class PublishedAddress {
    private static volatile @Nullable InetAddress route;

    private PublishedAddress() {}

    /**
     * Remembers by which address of this host the ranks of a group are connected.
     *
     * @param own the local end of a connection; a connection within this host carries no information, and is not
     *     remembered
     * @param peer its other end
     */
    public static void connected(InetAddress own, InetAddress peer) {
        if (!own.isLoopbackAddress() && !own.isAnyLocalAddress() && !own.isLinkLocalAddress() && !own.equals(peer)) {
            route = own;
        }
    }

    /**
     * The address; the address of the loopback device if there is no other.
     *
     * @throws InvalidArgumentException if no address matches the environment
     */
    public static InetAddress of(Map<String, String> environment) {
        return choose(NetworkLink.all(), NetworkChoice.of(environment), Optional.ofNullable(route));
    }

    /**
     * Checks the variables, without a search for an address.
     *
     * @throws InvalidArgumentException if a variable has a bad value; the message names the variable and the allowed
     *     values
     */
    public static void requireValid(Map<String, String> environment) {
        NetworkChoice.of(environment);
    }

    static InetAddress choose(List<NetworkLink> links, NetworkChoice choice, Optional<InetAddress> route) {
        List<InetAddress> fitting = links.stream()
                .filter(link -> choice.interfaces().isEmpty()
                        ? link.leadsToHosts()
                        : link.up() && choice.interfaces().contains(link.name()))
                .sorted(Comparator.comparingInt(link -> choice.interfaces().indexOf(link.name())))
                .flatMap(PublishedAddress::addresses)
                .filter(choice::allows)
                .toList();
        Optional<InetAddress> known = route.filter(own -> choice.isEmpty()
                ? links.stream().anyMatch(link -> link.up() && link.addresses().contains(own))
                : fitting.contains(own));
        return known.or(() -> fitting.stream().findFirst()).orElseGet(() -> none(links, choice));
    }

    /**
     * The addresses of an interface that other hosts can use, version 4 first. Link-local addresses are left out: they
     * need a zone, which has no meaning on a peer.
     */
    private static Stream<InetAddress> addresses(NetworkLink link) {
        return link.addresses().stream()
                .filter(address -> !address.isLinkLocalAddress())
                .sorted(Comparator.comparing(address -> !(address instanceof Inet4Address)));
    }

    private static InetAddress none(List<NetworkLink> links, NetworkChoice choice) {
        if (choice.isEmpty()) {
            return InetAddress.getLoopbackAddress();
        }
        throw new InvalidArgumentException("no address of this host is as " + choice + " say; allowed: one of "
                + links.stream()
                        .filter(NetworkLink::up)
                        .flatMap(link -> addresses(link).map(address -> link.name() + " " + address.getHostAddress()))
                        .toList());
    }
}
