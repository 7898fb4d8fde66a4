package org.mscclj.spi.transport;

import org.mscclj.api.device.DeviceBuffer;

/**
 * A transport of one rank to its peers. The runtime sends the results of {@code describe} methods to the peer, which
 * passes them to its own transport of that name. Set-up is thread-safe; one thread at a time uses a connection.
 */
public interface Transport extends AutoCloseable {
    /** Describes the address of this rank, by which peers decide whether they can reach it. */
    byte[] describeAddress();

    /** Whether the rank at the described address can be reached. Both sides must reach one decision. */
    boolean reaches(byte[] peerAddress);

    /** Registers memory of this rank as a source of writes and, for peers, as a target of writes and signals. */
    LocalMemory register(DeviceBuffer buffer);

    /** Imports a peer's registered memory, from its {@link LocalMemory#describe}. */
    RemoteMemory importMemory(byte[] description);

    /**
     * Creates this rank's end of a new connection to the rank at the described address. The peer creates the other end.
     */
    TransportEndpoint createEndpoint(byte[] peerAddress);

    /** Ends all connections and registrations. Idempotent. */
    @Override
    void close();
}
