package org.mscclj.transport.ib.connection;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.transport.ib.adapter.Rail;
import org.mscclj.transport.ib.ffm.CompletionQueue;
import org.mscclj.transport.ib.memory.RegisteredMemories;
import org.mscclj.transport.ib.settings.IbSettings;

/**
 * One end of a connection that is being set up. Connecting does not wait for the peer: the adapters need no agreement.
 */
public final class IbEndpoint implements TransportEndpoint {
    private final QueuePairs pairs;
    private final boolean atomics;
    private final RegisteredMemories memories;
    private final BackendDevice device;
    private final Parts parts;
    private @Nullable TransportConnection connection;
    private boolean closed;

    /** The endpoints and connections of a transport that are not closed. */
    public interface Parts {
        /** Adds an endpoint or a connection. */
        void add(AutoCloseable part);

        /** Removes one that is closed, or whose connection owns it. */
        void remove(AutoCloseable part);
    }

    /**
     * Creates queue pairs.
     *
     * @param atomics whether signals are atomic operations; both sides must agree
     * @param parts receives what has to be closed with the transport
     */
    public IbEndpoint(
            List<Rail> rails,
            IbSettings settings,
            boolean atomics,
            RegisteredMemories memories,
            BackendDevice device,
            Parts parts) {
        this.pairs = new QueuePairs(rails, settings, atomics);
        this.atomics = atomics;
        this.memories = memories;
        this.device = device;
        this.parts = parts;
        parts.add(this);
    }

    @Override
    public byte[] describe() {
        return pairs.describe().encode();
    }

    @Override
    public synchronized TransportConnection connect(byte[] peerEndpoint) {
        if (closed || connection != null) {
            throw new InvalidArgumentException(
                    "the endpoint over ib is " + (closed ? "closed" : "connected already") + "; create another one");
        }
        EndDescription peer = EndDescription.decode(peerEndpoint);
        if (peer.atomics() != atomics) {
            throw InvalidArgumentException.of(
                    "description of an endpoint",
                    "signals that are " + (peer.atomics() ? "" : "no ") + "atomic operations",
                    "the same as on this side; set MSCCLJ_IB_ATOMICS to one value on all ranks");
        }
        pairs.connect(peer);
        CompletionQueue arrivals = pairs.arrivals();
        IncomingSignals incoming =
                arrivals == null ? null : new IncomingSignals(pairs.control(), memories, arrivals, pairs.first());
        IbConnection connected = new IbConnection(pairs, peer, atomics, incoming, device, parts::remove);
        parts.add(connected);
        parts.remove(this);
        pairs.tell(connected);
        connection = connected;
        return connected;
    }

    @Override
    public synchronized void close() {
        if (!closed && connection == null) {
            pairs.close();
            parts.remove(this);
        }
        closed = true;
    }
}
