package org.mscclj.transport.ib.ffm;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * The global address of a port: 16 bytes, written as an IPv6 address.
 *
 * @param subnet the first 8 bytes: on InfiniBand, the subnet
 * @param port the last 8 bytes
 */
public record Gid(long subnet, long port) {
    static final int BYTES = 2 * Long.BYTES;

    private static final long IPV4_MARK = 0xffff_0000_0000L;
    private static final long IPV4_MARKED = 0xffff_ffff_0000_0000L;
    private static final int LINK_LOCAL = 0xfe80;
    private static final int FIRST_WORD = Long.SIZE - Short.SIZE;

    /** Whether the entry of a table of GIDs is used. */
    public boolean isUsed() {
        return subnet != 0 || port != 0;
    }

    /** Whether it stands for an IPv4 address. */
    public boolean isIpv4() {
        return subnet == 0 && (port & IPV4_MARKED) == IPV4_MARK;
    }

    /** Whether it is valid on one link only. */
    public boolean isLinkLocal() {
        return subnet >>> FIRST_WORD == LINK_LOCAL;
    }

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(subnet).putLong(port).array();
    }

    /** Returns the address: {@code 10.0.0.2} if it stands for one of IPv4, otherwise in the form of IPv6. */
    @Override
    public String toString() {
        try {
            return InetAddress.getByAddress(bytes()).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // only for another length
        }
    }
}
