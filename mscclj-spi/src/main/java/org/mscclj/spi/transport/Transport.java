package org.mscclj.spi.transport;

import org.mscclj.api.device.DeviceBuffer;

/**
 * A way to reach peers, for one rank. What {@code describe} methods return is sent to the peer, which hands it to its own
 * transport of the same name. Set-up is thread-safe; connections are used by one thread at a time.
 */
public interface Transport extends AutoCloseable {
    /** Describes this rank's end, for peers to decide whether they can reach it, and to connect to it. */
    byte[] describeEndpoint();

    /** Whether the owner of the described endpoint can be reached. Must be decided alike on both sides. */
    boolean reaches(byte[] peerEndpoint);

    /** Makes memory of this rank a source of writes and, for peers, a target of writes and signals. */
    LocalMemory register(DeviceBuffer buffer);

    /** A peer's registered memory, from its {@link LocalMemory#describe}. */
    RemoteMemory importMemory(byte[] description);

    /** Connects to the owner of the described endpoint. The peer does the same. */
    TransportConnection connect(byte[] peerEndpoint);

    /** Ends all connections and registrations. Idempotent. */
    @Override
    void close();
}
