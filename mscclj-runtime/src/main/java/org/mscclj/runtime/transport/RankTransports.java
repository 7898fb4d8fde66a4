package org.mscclj.runtime.transport;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.provider.ProviderCode;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.staging.StagedTransport;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportProvider;

/**
 * The transports of one rank, best first, opened for its device. Both ends of a connection order them by priority and
 * name, and both decide by one rule whether they reach each other, so that they select one transport without an
 * exchange. Safe for several threads.
 */
public final class RankTransports implements AutoCloseable {
    private final Map<String, Transport> open = new LinkedHashMap<>();

    /** Names of transports that reach only ranks of this rank's node. */
    private final Set<String> withinNode = new HashSet<>();

    private final List<String> refusals = new ArrayList<>();

    /**
     * Opens every transport that can be used with the device. A transport between nodes that cannot move the device's
     * memory moves it by way of memory of the host, under another name.
     *
     * @param available providers that can be used here, best first
     */
    public RankTransports(List<TransportProvider> available, BackendDevice device) {
        try {
            for (TransportProvider provider : available) {
                open(provider, device);
            }
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(this), e);
            throw e;
        }
    }

    private void open(TransportProvider provider, BackendDevice device) {
        Optional<String> refusal = tryOpen(provider, provider.name(), () -> provider.open(device));
        if (refusal.isPresent() && !provider.withinNode()) {
            Optional<String> again = tryOpen(
                    provider,
                    provider.name() + StagedTransport.SUFFIX,
                    () -> StagedTransport.open(device, provider::open));
            refusal = again.isPresent() ? refusal : Optional.empty();
        }
        refusal.ifPresent(refusals::add);
    }

    /** Opens a transport; returns why it cannot be used with the device, if it cannot. */
    private Optional<String> tryOpen(TransportProvider provider, String name, Supplier<Transport> opens) {
        try {
            open.put(name, ProviderCode.open(provider, opens));
            if (provider.withinNode()) {
                withinNode.add(name);
            }
            return Optional.empty();
        } catch (UnsupportedException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the names, best first. */
    public List<String> names() {
        return List.copyOf(open.keySet());
    }

    /** Returns the open transport of a name from {@link #names} or {@link #choose}. */
    public Transport transport(String name) {
        Transport transport = open.get(name);
        if (transport == null) {
            throw new UnsupportedException("transport " + name + " is not open here; open: " + names());
        }
        return transport;
    }

    /** Returns the addresses of this rank in all transports, for {@link #choose} and {@link #address} of a peer. */
    public byte[] describe() {
        return Wire.encode(out -> {
            out.writeInt(open.size());
            for (Map.Entry<String, Transport> entry : open.entrySet()) {
                out.writeUTF(entry.getKey());
                Wire.writeBytes(out, entry.getValue().describeAddress());
            }
        });
    }

    /**
     * Returns the best transport that reaches a peer.
     *
     * @param sameNode whether the peer is on this rank's node
     * @param peerDescription the peer's {@link #describe}
     * @throws UnsupportedException if there is none; the exception lists the transports that were tried
     */
    public String choose(int peer, boolean sameNode, byte[] peerDescription) {
        Map<String, byte[]> addresses = addresses(peerDescription);
        return open.entrySet().stream()
                .filter(entry -> sameNode || !withinNode.contains(entry.getKey()))
                .filter(entry -> {
                    byte[] address = addresses.get(entry.getKey());
                    return address != null && entry.getValue().reaches(address);
                })
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new UnsupportedException("no transport reaches rank " + peer
                        + (sameNode ? "" : ", which is on another node") + ": this rank has "
                        + names() + ", that rank has " + addresses.keySet()
                        + (sameNode || withinNode.isEmpty() ? "" : ", of which " + withinNode + " stay within a node")
                        + (refusals.isEmpty() ? "" : "; not usable here: " + String.join("; ", refusals))
                        + "; add a transport that both can use, for example org.mscclj:mscclj-transport-tcp, to"
                        + " the class path"
                        + " or module path of both"));
    }

    /** Returns the peer's address in a transport from {@link #choose}. */
    public byte[] address(String name, byte[] peerDescription) {
        byte[] address = addresses(peerDescription).get(name);
        if (address == null) {
            throw new UnsupportedException("the peer has no transport " + name);
        }
        return address;
    }

    private static Map<String, byte[]> addresses(byte[] description) {
        return Wire.decode(description, in -> {
            Map<String, byte[]> addresses = new LinkedHashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                addresses.put(in.readUTF(), Wire.readBytes(in));
            }
            return addresses;
        });
    }

    /** Ends all connections and registrations. Idempotent. */
    @Override
    public void close() {
        Resources.close(List.copyOf(open.values()));
    }
}
