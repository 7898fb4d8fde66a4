package org.mscclj.runtime.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.channel.CounterPool.Counter;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.engine.ContextLayout;

/** This rank's counter, and a way to raise the peer's counter: its mapped address, or an id in the proxy. */
final class CounterSemaphore implements Semaphore, Part {
    private final ChannelEnvironment environment;
    private final PeerConnection connection;
    private final Counter own;
    private final PeerChannelMemory peerSlab;
    private final long peerOffset;
    private final OptionalInt proxyId;
    private OptionalInt deviceProxyId = OptionalInt.empty();
    private final Users users;
    private boolean given;

    CounterSemaphore(
            ChannelEnvironment environment,
            PeerConnection connection,
            Counter own,
            PeerChannelMemory peerSlab,
            long peerOffset) {
        this.environment = environment;
        this.connection = connection;
        this.own = own;
        this.peerSlab = peerSlab;
        this.peerOffset = peerOffset;
        this.users = new Users("the semaphore for rank " + connection.peer(), "channels");
        if (connection.kind() == ChannelKind.PORT) {
            this.proxyId = OptionalInt.of(addTo(environment.proxy()));
        } else {
            peerSlab.mapped();
            this.proxyId = OptionalInt.empty();
        }
        connection.users().add();
    }

    private int addTo(ProxyAgent agent) {
        return agent.addSemaphore(
                connection.peer(),
                connection.transportConnection(),
                peerSlab.imported(connection.transport()),
                peerOffset);
    }

    /**
     * Takes the semaphore for a channel. Each semaphore serves one channel: a counter only grows, so a second channel
     * would see the signals of the first one.
     */
    synchronized void take() {
        if (given) {
            throw new InvalidArgumentException("the semaphore for rank " + connection.peer()
                    + " already has, or had, a channel; create a semaphore for each channel");
        }
        users.add();
        given = true;
    }

    /** Releases the semaphore for another channel, because the channel could not be made. */
    synchronized void untake() {
        given = false;
        users.remove();
    }

    Users users() {
        return users;
    }

    Counter own() {
        return own;
    }

    /** Returns the mapping of the peer's counter. */
    MappedMemory peerCounter() {
        return new MappedCounter(peerSlab.mapped().address() + peerOffset);
    }

    /** Returns the semaphore's id in the proxy. */
    int proxyId() {
        return proxyId.orElseThrow(() ->
                InvalidArgumentException.of("semaphore", "over mapped memory", "one over a connection of kind PORT"));
    }

    /** Returns the semaphore's id in the proxy agent for kernels. */
    synchronized int deviceProxyId() {
        if (deviceProxyId.isEmpty()) {
            deviceProxyId = OptionalInt.of(addTo(environment.deviceProxy()));
        }
        return deviceProxyId.getAsInt();
    }

    private OptionalInt takeDeviceProxyId() {
        OptionalInt id = deviceProxyId;
        deviceProxyId = OptionalInt.empty();
        return id;
    }

    @Override
    public PeerConnection connection() {
        return connection;
    }

    @Override
    public boolean isOpen() {
        return users.isOpen();
    }

    @Override
    public synchronized void close() {
        if (users.close()) {
            List<AutoCloseable> all = new ArrayList<>();
            all.add(connection.users()::remove);
            all.add(peerSlab);
            takeDeviceProxyId()
                    .ifPresent(id -> all.add(() -> environment.deviceProxy().removeSemaphore(id)));
            proxyId.ifPresent(id -> all.add(() -> environment.proxy().removeSemaphore(id)));
            Resources.close(all); // last first
        }
    }

    /** A counter inside memory that is mapped as a whole. */
    private record MappedCounter(long address) implements MappedMemory {
        @Override
        public long byteSize() {
            return ContextLayout.COUNTER_STRIDE;
        }

        @Override
        public void close() {
            // closing the semaphore unmaps the slab
        }
    }
}
