package org.mscclj.runtime.channel;

import java.io.DataInput;
import java.net.ConnectException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.event.EventRecorder;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.runtime.transport.RankTransports;
import org.mscclj.runtime.transport.SharedConnection;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;

/** Connects a rank to its peers, together with each peer. */
final class ConnectionSetUp implements AutoCloseable {
    private final ChannelEnvironment environment;

    /** Memory whose handle shows a peer whether it can map this rank's memory. */
    private @Nullable DeviceBuffer probe;

    ConnectionSetUp(ChannelEnvironment environment) {
        this.environment = environment;
    }

    /** Connects by mapped memory. */
    PeerConnection mapped(int peer, int tag) {
        MemoryHandle own = environment.device().export(probe());
        byte[] message = environment.exchange(
                peer, Topic.of(TopicKind.MAPPED_CONNECTION, tag), Wire.encode(out -> Wire.writeHandle(out, own)));
        MemoryHandle handle = Wire.decodeFrom(peer, message, from -> Wire.decode(from, Wire::readHandle));
        if (!environment.control().nodes().share(environment.control().rank(), peer)) {
            throw new UnsupportedException("rank " + peer + " is on another node than this rank "
                    + environment.control().rank() + ", so that its memory cannot be mapped"
                    + "; connect with ChannelKind.PORT and use port channels");
        }
        if (!environment.device().canMap(handle)) {
            throw new UnsupportedException("memory of rank " + peer + " (backend " + handle.backend()
                    + ") cannot be mapped by this rank (backend "
                    + environment.device().backend()
                    + "); run ranks that share memory on devices that reach each other, or connect with"
                    + " ChannelKind.PORT where a transport leads to that rank (mscclj info lists them)");
        }
        return PeerConnection.mapped(peer);
    }

    /** Connects by a transport. */
    PeerConnection overTransport(int peer, int tag) {
        RankTransports transports = environment.transports();
        byte[] message = environment.exchange(peer, Topic.of(TopicKind.PORT_CONNECTION, tag), transports.describe());
        boolean sameNode =
                environment.control().nodes().share(environment.control().rank(), peer);
        String name = transports.choose(peer, sameNode, message);
        Transport transport = transports.transport(name);
        try (TransportEndpoint endpoint = transport.createEndpoint(transports.address(name, message))) {
            byte[] peerEndpoint =
                    environment.exchange(peer, Topic.of(TopicKind.PORT_CONNECTION_ENDPOINT, tag), endpoint.describe());
            TransportConnection connection = EventRecorder.connection(
                    environment.control().rank(),
                    peer,
                    name,
                    () -> connect(endpoint, peerEndpoint, peer, name, Topic.of(TopicKind.PORT_CONNECTION_MADE, tag)));
            try {
                connection.listen(environment.links().listener(peer, name, environment.proxy()));
                return PeerConnection.over(peer, name, SharedConnection.of(environment.device(), connection));
            } catch (RuntimeException | Error e) {
                Resources.closeSuppressing(List.of(connection), e);
                throw e;
            }
        }
    }

    /**
     * Connects to a peer. Returns when both sides have connected, or throws on both: a transport's own end may be
     * ready, and be closed, before the peer's.
     */
    private TransportConnection connect(
            TransportEndpoint endpoint, byte[] peerEndpoint, int peer, String transport, Topic topic) {
        ControlPlane control = environment.control();
        TransportConnection connection;
        try {
            connection = environment
                    .links()
                    .connect(control, endpoint, peerEndpoint, peer, transport, Deadline.after(control.timeLeft()));
        } catch (MsccljException e) {
            if (environment.abort().isSet()) {
                throw e; // the peer learns of the abort anyway
            }
            control.send(peer, topic, Wire.encode(out -> out.writeUTF(e.toString())));
            throw e;
        }
        try {
            String failure = Wire.decodeFrom(
                    peer,
                    environment.exchange(peer, topic, Wire.encode(out -> out.writeUTF(""))),
                    message -> Wire.decode(message, DataInput::readUTF));
            if (!failure.isEmpty()) {
                throw new BackendException(
                        "rank " + peer + " could not connect to this rank: " + failure, new ConnectException(failure));
            }
            return connection;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(connection), e);
            throw e;
        }
    }

    private synchronized DeviceBuffer probe() {
        DeviceBuffer known = probe;
        if (known == null) {
            known = environment.device().allocate(Long.BYTES);
            probe = known;
        }
        return known;
    }

    /** Frees the memory for handles. */
    @Override
    public synchronized void close() {
        if (probe != null) {
            probe.close();
        }
    }
}
