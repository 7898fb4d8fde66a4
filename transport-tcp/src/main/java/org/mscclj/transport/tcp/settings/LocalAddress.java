package org.mscclj.transport.tcp.settings;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.network.PublishedAddress;

/** Finds the address of this machine at which the transport listens. */
final class LocalAddress {
    private LocalAddress() {}

    /**
     * Returns the address of an interface, or the one that {@link PublishedAddress} chooses.
     *
     * @param wanted name of an interface, or an address of this machine
     * @throws InvalidArgumentException if there is no such interface, or it is down
     */
    static InetAddress of(Optional<String> wanted) {
        return wanted.map(name -> named(interfaces(), name)).orElseGet(() -> PublishedAddress.of(System.getenv()));
    }

    private static List<NetworkInterface> interfaces() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(LocalAddress::isUp)
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .toList();
        } catch (SocketException e) {
            throw new InvalidArgumentException("network interfaces cannot be listed: " + e.getMessage(), e);
        }
    }

    private static boolean isUp(NetworkInterface candidate) {
        return is(candidate, NetworkInterface::isUp);
    }

    private interface Question {
        boolean ask(NetworkInterface candidate) throws SocketException;
    }

    /** An interface that disappears meanwhile counts as down. */
    private static boolean is(NetworkInterface candidate, Question question) {
        try {
            return question.ask(candidate);
        } catch (SocketException e) {
            return false;
        }
    }

    private static InetAddress named(List<NetworkInterface> up, String name) {
        return up.stream()
                .filter(candidate -> candidate.getName().equals(name))
                .flatMap(candidate -> address(candidate).stream())
                .findFirst()
                .or(() -> up.stream()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(address -> address.getHostAddress().equals(name))
                        .findFirst())
                .orElseThrow(() -> InvalidArgumentException.of(
                        TcpSettings.INTERFACE,
                        name,
                        "an interface that is up, or its address: "
                                + up.stream()
                                        .map(candidate -> candidate.getName()
                                                + address(candidate)
                                                        .map(address -> " (" + address.getHostAddress() + ")")
                                                        .orElse(""))
                                        .toList()));
    }

    /**
     * Returns an interface's address, an IPv4 address if it has one. Link-local addresses are excluded: they need a
     * zone, which is meaningless on another machine.
     */
    private static Optional<InetAddress> address(NetworkInterface of) {
        return of.inetAddresses()
                .filter(address -> !address.isLinkLocalAddress())
                .min(Comparator.comparing(address -> !(address instanceof Inet4Address)));
    }
}
