package org.mscclj.spi.network;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A network interface of this host.
 *
 * @param name as {@code ip link} shows it
 * @param up whether it is up and has a carrier
 * @param local whether it is a loopback device, which leads only to this host
 * @param pointToPoint whether it is a tunnel
 * @param addresses its addresses
 */
record NetworkLink(String name, boolean up, boolean local, boolean pointToPoint, List<InetAddress> addresses) {
    /**
     * The names that Docker, Podman, Kubernetes, LXC, libvirt and VPNs give to their bridges and tunnels: peers do not
     * reach this host through them.
     */
    private static final Pattern OTHERS = Pattern.compile(
            "(docker|podman|virbr|vnet|veth|cni|flannel|cali|cilium|weave|kube|lxc|lxd|tun|tap|wg|tailscale|zt|utun|vmnet|vboxnet"
                    + "|sit|gre|ip6tnl|ipip|dummy)[0-9a-z_.-]*|br-[0-9a-f]{12}");

    /** Copies the list. */
    NetworkLink {
        addresses = List.copyOf(addresses);
    }

    /** The network interfaces of this host, in the system's order. */
    static List<NetworkLink> all() {
        try {
            return NetworkInterface.networkInterfaces()
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .map(NetworkLink::of)
                    .toList();
        } catch (SocketException e) {
            throw new InvalidArgumentException("network interfaces cannot be listed: " + e.getMessage(), e);
        }
    }

    private static NetworkLink of(NetworkInterface device) {
        return new NetworkLink(
                device.getName(),
                is(device, NetworkInterface::isUp),
                is(device, NetworkInterface::isLoopback),
                is(device, NetworkInterface::isPointToPoint),
                device.inetAddresses().toList());
    }

    private interface Question {
        boolean ask(NetworkInterface device) throws SocketException;
    }

    /** Queries an interface; false if the interface vanishes meanwhile. */
    private static boolean is(NetworkInterface device, Question question) {
        try {
            return question.ask(device);
        } catch (SocketException e) {
            return false;
        }
    }

    /** Whether other hosts most likely reach this one through it. */
    boolean leadsToHosts() {
        return up && !local && !pointToPoint && !OTHERS.matcher(name).matches();
    }
}
