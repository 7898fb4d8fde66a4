package org.mscclj.runtime.execution.context;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.transport.RankTransports;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;

/**
 * One kind of buffer on every rank, such as scratch, for use by port channels: registered with the transports,
 * described to the peers, and named by memory ids in the proxy.
 */
public final class PortMemory implements AutoCloseable {
    /** The id of memory without an id. */
    public static final int NO_ID = -1;

    private final Map<String, LocalMemory> own = new LinkedHashMap<>();
    private final Map<Integer, RemoteMemory> remote = new LinkedHashMap<>();
    private final Map<String, Integer> localIds = new HashMap<>();
    private final Map<Integer, Integer> remoteIds = new HashMap<>();
    private final List<AutoCloseable> resources = new ArrayList<>();
    private @Nullable ProxyAgent proxy;

    /** Registers a buffer and imports the peers' buffers. Collective. */
    static PortMemory open(
            String what, DeviceBuffer buffer, ControlPlane control, RankTransports transports, PortPeers peers) {
        PortMemory memory = new PortMemory();
        try {
            List<Message> descriptions = Exchange.gather(
                    control, Topic.of(TopicKind.PORT_MEMORY, what), () -> memory.register(buffer, transports));
            Exchange.gather(control, Topic.of(TopicKind.PORT_MEMORY_OF_PEERS, what), () -> {
                memory.importAll(descriptions.stream().map(Message::bytes).toList(), peers);
                return new byte[0];
            });
            return memory;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(memory), e);
            throw e;
        }
    }

    /** Registers this rank's buffer and returns its description for peers. */
    byte[] register(DeviceBuffer buffer, RankTransports transports) {
        for (String name : transports.names()) {
            LocalMemory registered = transports.transport(name).register(buffer);
            own.put(name, registered);
            resources.add(registered);
        }
        return Wire.encode(out -> {
            out.writeInt(own.size());
            for (Map.Entry<String, LocalMemory> entry : own.entrySet()) {
                out.writeUTF(entry.getKey());
                Wire.writeBytes(out, entry.getValue().describe());
            }
        });
    }

    /** Imports the peers' buffers from the description of each rank. */
    void importAll(List<byte[]> descriptions, PortPeers peers) {
        proxy = peers.proxy();
        peers.ways().forEach((peer, way) -> importFrom(peer, way, descriptions.get(peer)));
    }

    private ProxyAgent proxy() {
        return Objects.requireNonNull(proxy, "imported before");
    }

    private void importFrom(int peer, PortPeers.Way way, byte[] descriptions) {
        RemoteMemory imported = way.transport()
                .importMemory(Wire.decodeFrom(peer, descriptions, message -> descriptionFor(way.name(), message)));
        remote.put(peer, imported);
        resources.add(imported);
    }

    private static byte[] descriptionFor(String transport, byte[] message) {
        return Wire.decode(message, in -> {
            byte[] found = new byte[0];
            for (int left = in.readInt(); left > 0; left--) {
                boolean wanted = in.readUTF().equals(transport);
                byte[] description = Wire.readBytes(in);
                found = wanted ? description : found;
            }
            return found;
        });
    }

    /** Returns the peer's memory. */
    RemoteMemory remote(int peer) {
        RemoteMemory memory = remote.get(peer);
        if (memory == null) {
            throw new IllegalStateException("no port channel leads to rank " + peer);
        }
        return memory;
    }

    /** Returns this rank's buffer, registered with a transport. */
    LocalMemory local(PortPeers.Way way) {
        LocalMemory memory = own.get(way.name());
        if (memory == null) {
            throw new IllegalStateException("the memory is not registered with transport " + way.name());
        }
        return memory;
    }

    /** Returns the first memory id of this rank's buffer, for connections of a transport. */
    int localId(PortPeers.Way way) {
        LocalMemory memory = own.get(way.name());
        return memory == null || memory.byteSize() == 0
                ? NO_ID
                : localIds.computeIfAbsent(way.name(), name -> proxy().addLocalMemory(memory));
    }

    /** Returns the first memory id of a peer's buffer. */
    public int remoteId(int peer) {
        RemoteMemory memory = remote(peer);
        return memory.byteSize() == 0 ? NO_ID : remoteIds.computeIfAbsent(peer, p -> proxy().addRemoteMemory(memory));
    }

    @Override
    public void close() {
        List<AutoCloseable> all = new ArrayList<>(resources);
        localIds.values().forEach(id -> all.add(() -> proxy().removeLocalMemory(id)));
        remoteIds.values().forEach(id -> all.add(() -> proxy().removeRemoteMemory(id)));
        localIds.clear();
        remoteIds.clear();
        resources.clear();
        Resources.close(all); // in reverse order: pushed triggers need the registrations
    }
}
