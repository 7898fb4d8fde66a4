package org.mscclj.interposer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.StoreAddress;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A unique id in the 128 bytes of {@code ncclUniqueId}: a mark, the address and the secret of a store, and a number
 * that makes communicators of one store different.
 *
 * @param store where the ranks meet
 * @param nonce the number
 */
record BinaryId(StoreAddress store, long nonce) {
    private static final int BYTES = 128;
    private static final int LONGEST_ADDRESS = 16;
    private static final int SECRET_BYTES = 32;

    /** "MSCCLJ", 0, and the version of this form. */
    private static final long MARK = 0x4d5343434c4a0001L;

    private static final HexFormat HEX = HexFormat.of();

    /** Writes the id. */
    byte[] bytes() {
        byte[] host = address(store.address().host()).getAddress();
        ByteBuffer out = ByteBuffer.allocate(BYTES)
                .putLong(MARK)
                .putShort((short) store.address().ports().first())
                .put((byte) host.length)
                .put(Arrays.copyOf(host, LONGEST_ADDRESS))
                .put(HEX.parseHex(store.secret()))
                .putLong(nonce);
        return out.array();
    }

    private static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new InvalidArgumentException(
                    "the host " + host + " has no address; set MSCCLJ_INTERFACE to a network interface", e);
        }
    }

    /**
     * Reads an id.
     *
     * @throws InvalidArgumentException if another library has made it
     */
    static BinaryId parse(byte[] id) {
        ByteBuffer in = ByteBuffer.wrap(id);
        if (in.getLong() != MARK) {
            throw new InvalidArgumentException(
                    "mscclj has not made this unique id; allowed: one of ncclGetUniqueId in a"
                            + " process that mscclj nccl has started, with this version of mscclj");
        }
        int port = Short.toUnsignedInt(in.getShort());
        int length = in.get();
        byte[] host = new byte[LONGEST_ADDRESS];
        in.get(host);
        byte[] secret = new byte[SECRET_BYTES];
        in.get(secret);
        try {
            String text = InetAddress.getByAddress(Arrays.copyOf(host, length)).getHostAddress();
            RendezvousAddress address = RendezvousAddress.of(text, new PortRange(port, port));
            return new BinaryId(new StoreAddress(address, HEX.formatHex(secret), Optional.empty()), in.getLong());
        } catch (UnknownHostException e) {
            throw new InvalidArgumentException(
                    "the unique id has an address of " + length
                            + " bytes; allowed: 4 or 16. Pass all 128 bytes of ncclUniqueId on",
                    e);
        }
    }

    /** Returns the name of the communicator of this id. */
    String name() {
        return "nccl-" + HEX.toHexDigits(nonce);
    }

    /** Leaves the secret out. */
    @Override
    public String toString() {
        return "BinaryId[" + store + ", " + name() + "]";
    }
}
