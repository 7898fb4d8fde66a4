package org.mscclj.runtime.channel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MappedView;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.transport.RemoteMemory;

/** A peer's memory. It is mapped or imported when a channel first needs the mapping or the import. */
final class PeerChannelMemory implements RegisteredMemory, Part {
    private final ChannelEnvironment environment;
    private final ChannelMemoryDescription description;
    private final Map<String, RemoteMemory> imports = new HashMap<>();
    private final ProxyIds proxyIds = new ProxyIds();
    private final Users users;
    private @Nullable MappedMemory mapped;
    private @Nullable MappedView view;

    PeerChannelMemory(ChannelEnvironment environment, ChannelMemoryDescription description) {
        this.environment = environment;
        this.description = description;
        this.users = new Users("memory received from rank " + description.rank(), "channels");
    }

    Users users() {
        return users;
    }

    /** Returns the mapping of the memory. */
    synchronized MappedMemory mapped() {
        MappedMemory known = mapped;
        if (known == null) {
            known = environment.device().map(handle());
            mapped = known;
        }
        return known;
    }

    private MemoryHandle handle() {
        return description
                .handle()
                .orElseThrow(() -> new UnsupportedException(
                        "memory of rank " + rank() + " cannot be mapped: " + description.refusal()));
    }

    /** Returns a mapping of its own, so that channels and copies end independently. */
    @Override
    public synchronized DeviceBuffer buffer() {
        users.requireOpen();
        MappedView known = view;
        if (known == null) {
            known = view();
            view = known;
        }
        return known.buffer();
    }

    private MappedView view() {
        MemoryHandle handle = handle();
        if (!environment.device().canMap(handle)) {
            throw new UnsupportedException("memory of rank " + rank() + " cannot be mapped by "
                    + environment.device().description() + ": it is on another node, or out of reach for this device");
        }
        MappedMemory memory = environment.device().map(handle);
        try {
            return environment.device().view(memory);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(memory), e);
            throw e;
        }
    }

    /** Returns the memory as a target of a transport. */
    synchronized RemoteMemory imported(String transport) {
        return imports.computeIfAbsent(transport, name -> {
            byte[] bytes = description.transports().get(name);
            if (bytes == null) {
                throw new UnsupportedException(
                        "memory of rank " + rank() + " is not registered with transport " + name);
            }
            return environment.transports().transport(name).importMemory(bytes);
        });
    }

    /** Returns the first memory id in a proxy agent, for connections of a transport. */
    synchronized int proxyId(ProxyAgent agent, String transport) {
        return proxyIds.get(agent, transport, () -> agent.addRemoteMemory(imported(transport)));
    }

    @Override
    public int rank() {
        return description.rank();
    }

    @Override
    public long byteSize() {
        return description.byteSize();
    }

    @Override
    public boolean isOpen() {
        return users.isOpen();
    }

    @Override
    public synchronized void close() {
        if (users.close()) {
            free();
        }
    }

    private void free() {
        List<AutoCloseable> all = new ArrayList<>();
        Optional.ofNullable(mapped).ifPresent(all::add);
        Optional.ofNullable(view).ifPresent(all::add);
        all.addAll(imports.values());
        proxyIds.removeAll(ProxyAgent::removeRemoteMemory, all);
        Resources.close(all); // last first
    }
}
