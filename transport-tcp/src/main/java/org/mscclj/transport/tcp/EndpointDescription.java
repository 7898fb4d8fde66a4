package org.mscclj.transport.tcp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * What a peer needs to know of an end to connect to it. Contains a secret: it travels over the control plane, which is
 * authenticated, and is shown to nobody.
 *
 * @param address where its process listens
 * @param id what its process calls it
 * @param token what proves that somebody was told of it
 * @param lanes how many sockets it wants
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EndpointDescription(InetSocketAddress address, long id, byte[] token, int lanes) {
    byte[] encode() {
        byte[] host = address.getAddress().getAddress();
        return ByteBuffer.allocate(Byte.BYTES + host.length + 2 * Integer.BYTES + Long.BYTES + token.length)
                .put((byte) host.length)
                .put(host)
                .putInt(address.getPort())
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
            long id = in.getLong();
            int lanes = in.getInt();
            byte[] token = new byte[Hello.TOKEN];
            in.get(token);
            if (lanes >= 1 && lanes <= TcpSettings.MOST_LANES && !in.hasRemaining()) {
                return new EndpointDescription(address, id, token, lanes);
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

    /** Which of two ends connects to the other; alike on both sides. */
    boolean connectsTo(EndpointDescription peer) {
        return Arrays.compareUnsigned(token, peer.token) < 0;
    }

    @Override
    public String toString() {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
