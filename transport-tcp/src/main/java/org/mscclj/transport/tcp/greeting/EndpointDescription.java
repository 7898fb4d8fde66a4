package org.mscclj.transport.tcp.greeting;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.transport.tcp.settings.TcpSettings;

/**
 * What a peer needs to connect to an endpoint. It contains a secret: it travels only over the control plane, which is
 * authenticated, and appears in no message or log.
 *
 * @param process identifies the event loop that owns the endpoint: one for each process and settings
 * @param address where its process listens
 * @param id identifies the endpoint within its process
 * @param token the secret that proves that a peer has received this description
 * @param lanes the number of sockets that the endpoint expects
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EndpointDescription(UUID process, InetSocketAddress address, long id, byte[] token, int lanes) {
    public byte[] encode() {
        byte[] host = address.getAddress().getAddress();
        return ByteBuffer.allocate(Byte.BYTES + host.length + 2 * Integer.BYTES + 3 * Long.BYTES + token.length)
                .put((byte) host.length)
                .put(host)
                .putInt(address.getPort())
                .putLong(process.getMostSignificantBits())
                .putLong(process.getLeastSignificantBits())
                .putLong(id)
                .putInt(lanes)
                .put(token)
                .array();
    }

    public static EndpointDescription decode(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            byte[] host = new byte[in.get()];
            in.get(host);
            InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(host), in.getInt());
            UUID process = new UUID(in.getLong(), in.getLong());
            long id = in.getLong();
            int lanes = in.getInt();
            byte[] token = new byte[Hello.TOKEN];
            in.get(token);
            if (lanes >= 1 && lanes <= TcpSettings.MAX_LANES && !in.hasRemaining()) {
                return new EndpointDescription(process, address, id, token, lanes);
            }
        } catch (BufferUnderflowException
                | NegativeArraySizeException
                | UnknownHostException
                | IllegalArgumentException e) {
            throw new InvalidArgumentException(malformed(bytes), e);
        }
        throw new InvalidArgumentException(malformed(bytes));
    }

    private static String malformed(byte[] bytes) {
        return "a peer's endpoint is " + bytes.length
                + " bytes that cannot be decoded; allowed: a description that transport tcp of the same version"
                + " has made";
    }

    /**
     * Whether this side connects to the other. Both sides compute the same answer, and it is the same for all endpoints
     * of two processes, so that these share links.
     */
    public boolean connectsTo(EndpointDescription peer) {
        int order = process.compareTo(peer.process);
        return order != 0 ? order < 0 : Arrays.compareUnsigned(token, peer.token) < 0;
    }

    @Override
    public String toString() {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
