package org.mscclj.spi.transport;

import org.mscclj.api.device.DeviceBuffer;

/**
 * A way to reach peers, for one rank. What {@code describe} methods return is sent to the peer, which hands it to its
 * own transport of the same name. Set-up is thread-safe; connections are used by one thread at a time.
 */
public interface Transport extends AutoCloseable {
    /** Describes where this rank is, for peers to decide whether they can reach it. */
    byte[] describeAddress();

    /** Whether the rank at the described address can be reached. Must be decided alike on both sides. */
    boolean reaches(byte[] peerAddress);

    /** Makes memory of this rank a source of writes and, for peers, a target of writes and signals. */
    LocalMemory register(DeviceBuffer buffer);

    /** A peer's registered memory, from its {@link LocalMemory#describe}. */
    RemoteMemory importMemory(byte[] description);

    /** Makes this rank's end of a new connection to the rank at the described address. The peer does the same. */
    TransportEndpoint createEndpoint(byte[] peerAddress);

    /** Ends all connections and registrations. Idempotent. */
    @Override
    void close();
}
