package org.mscclj.transport.tcp.channel;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A socket, encrypted or not, or a stream of a link. Neither reading nor writing blocks. */
public interface LaneChannel extends Closeable {
    /** Bytes in front of the data to write, which the channel may overwrite with its header. */
    int HEADROOM = 16;

    /** Reads the available bytes; returns their number, or −1 if the peer has closed. */
    int read(ByteBuffer to) throws IOException;

    /** Writes as many bytes as fit. */
    int write(ByteBuffer from) throws IOException;

    /** Whether this channel holds received bytes that were not read yet; the selector does not report them. */
    boolean holdsReceived();

    /**
     * Returns a value that only the two ends of an encrypted connection know; empty without encryption. Valid after the
     * first read.
     */
    default byte[] channel() throws IOException {
        return new byte[0];
    }

    /**
     * Whether the loop is to call back when the socket is writable; {@code dataWaits} is true if data could not be
     * written completely.
     */
    boolean wantsWrite(boolean dataWaits);
}
