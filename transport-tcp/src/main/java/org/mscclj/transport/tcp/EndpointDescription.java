package org.mscclj.transport.tcp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * What a peer needs to know of an end to connect to it. Contains a secret: it travels over the control plane, which is
 * authenticated, and is shown to nobody.
 *
 * @param process what its process, or the part of it that has these settings, calls itself
 * @param address where its process listens
 * @param id what its process calls it
 * @param token what proves that somebody was told of it
 * @param lanes how many sockets it wants
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EndpointDescription(UUID process, InetSocketAddress address, long id, byte[] token, int lanes) {
    byte[] encode() {
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

    static EndpointDescription decode(byte[] bytes) {
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
            if (lanes >= 1 && lanes <= TcpSettings.MOST_LANES && !in.hasRemaining()) {
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
                + " bytes that make no sense; allowed: what transport tcp of the same version describes";
    }

    /**
     * Which of two ends connects to the other; alike on both sides, and alike for all ends of two processes, so that
     * they share links.
     */
    boolean connectsTo(EndpointDescription peer) {
        int order = process.compareTo(peer.process);
        return order != 0 ? order < 0 : Arrays.compareUnsigned(token, peer.token) < 0;
    }

    @Override
    public String toString() {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
