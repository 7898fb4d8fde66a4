package org.mscclj.runtime.bootstrap;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.error.InvalidArgumentException;

/** Addresses of this host and of rank 0's. */
public final class HostAddresses {
    private HostAddresses() {}

    /** The address that a rendezvous names. */
    static InetAddress resolve(RendezvousAddress address) {
        try {
            return InetAddress.getByName(address.host());
        } catch (UnknownHostException e) {
            throw new InvalidArgumentException(
                    "the host of address " + address
                            + " is not known; use its IP address, or a name that this host can look up",
                    e);
        }
    }

    /** Every address and port that whoever waits there may listen at. */
    public static List<InetSocketAddress> candidates(RendezvousAddress address) {
        InetAddress host = resolve(address);
        return IntStream.rangeClosed(address.ports().first(), address.ports().last())
                .mapToObj(port -> new InetSocketAddress(host, port))
                .toList();
    }

    /** The address of this host that a rendezvous names an interface for; empty if it names none. */
    public static Optional<InetAddress> ofInterface(RendezvousAddress address) {
        return address.interfaceName().map(name -> ofInterface(name, resolve(address)));
    }

    private static InetAddress ofInterface(String name, InetAddress peer) {
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
                    .filter(own -> own.getClass() == peer.getClass())
                    .min(Comparator.comparingInt(own -> own.equals(peer) ? 0 : 1))
                    .orElseThrow(() -> new InvalidArgumentException("interface " + name
                            + " has no address of the kind of " + peer.getHostAddress() + "; use another interface"));
        } catch (SocketException e) {
            throw new InvalidArgumentException("interface " + name + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * What rank 0 binds to: the address itself, unless it is a name that this host, as many do, maps to its loopback device, where other
     * hosts could not connect.
     */
    public static InetAddress toBind(RendezvousAddress address) {
        InetAddress resolved = resolve(address);
        return resolved.isLoopbackAddress() && !isLoopback(address) ? wildcard() : resolved;
    }

    /** Every address of this host. */
    static InetAddress wildcard() {
        try {
            return InetAddress.getByAddress(new byte[4]);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    /** Whether an address says that all ranks are on this host. */
    static boolean isLoopback(RendezvousAddress address) {
        String host = address.host();
        return host.equals("localhost") || host.equals("::1") || host.startsWith("127.");
    }

    /** The address by which other hosts most likely reach this one; loopback if it has no other. */
    static InetAddress ofThisHost() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(HostAddresses::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .min(Comparator.comparingInt(address -> address.getAddress().length))
                    .orElse(InetAddress.getLoopbackAddress());
        } catch (SocketException e) {
            return InetAddress.getLoopbackAddress();
        }
    }

    private static boolean isUp(NetworkInterface device) {
        try {
            return device.isUp() && !device.isVirtual();
        } catch (SocketException e) {
            return false;
        }
    }
}
