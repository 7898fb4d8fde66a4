package org.mscclj.runtime.channel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.transport.LocalMemory;

/** Memory of this rank. It is registered with every transport, and cannot be freed while it is open. */
final class OwnChannelMemory implements RegisteredMemory, Part {
    private final ChannelEnvironment environment;
    private final DeviceBuffer buffer;
    private final Map<String, LocalMemory> registrations = new LinkedHashMap<>();
    private final ProxyIds proxyIds = new ProxyIds();
    private final Users users;
    private final ChannelMemoryDescription description;

    OwnChannelMemory(ChannelEnvironment environment, DeviceBuffer buffer) {
        this.environment = environment;
        this.buffer = buffer;
        this.users =
                new Users("registered memory of rank " + environment.control().rank(), "channels");
        environment.device().retain(buffer);
        try {
            for (String name : environment.transports().names()) {
                registrations.put(name, environment.transports().transport(name).register(buffer));
            }
            this.description = describe();
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(this::free), e);
            throw e;
        }
    }

    private ChannelMemoryDescription describe() {
        Map<String, byte[]> transports = new LinkedHashMap<>();
        registrations.forEach((name, memory) -> transports.put(name, memory.describe()));
        Optional<MemoryHandle> handle = Optional.empty();
        String refusal = "";
        try {
            handle = Optional.of(environment.device().export(buffer));
        } catch (UnsupportedException e) {
            refusal = String.valueOf(e.getMessage()); // transports may still move it
        }
        return new ChannelMemoryDescription(rank(), byteSize(), handle, refusal, transports);
    }

    ChannelMemoryDescription description() {
        return description;
    }

    @Override
    public DeviceBuffer buffer() {
        users.requireOpen();
        return buffer;
    }

    Users users() {
        return users;
    }

    /** Returns the first memory id in a proxy agent, for connections of a transport. */
    synchronized int proxyId(ProxyAgent agent, String transport) {
        return proxyIds.get(agent, transport, () -> {
            LocalMemory memory = registrations.get(transport);
            if (memory == null) {
                throw new UnsupportedException("this rank's memory is not registered with transport " + transport);
            }
            return agent.addLocalMemory(memory);
        });
    }

    @Override
    public int rank() {
        return environment.control().rank();
    }

    @Override
    public long byteSize() {
        return buffer.byteSize();
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
        all.add(() -> environment.device().release(buffer));
        all.addAll(registrations.values());
        proxyIds.removeAll(ProxyAgent::removeLocalMemory, all);
        Resources.close(all); // last first
    }
}
