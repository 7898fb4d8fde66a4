package org.mscclj.transport.tcp;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A socket, encrypted or not, or a stream of a link. Neither reading nor writing blocks. */
interface LaneChannel extends Closeable {
    /** Reads what is there; −1 if the peer has closed. */
    int read(ByteBuffer to) throws IOException;

    /** Writes what fits. */
    int write(ByteBuffer from) throws IOException;

    /** Whether it has received what was not read yet, of which the socket does not tell any more. */
    boolean holdsReceived();

    /**
     * What both ends know of an encrypted connection, and nobody between them; empty if it is none. To be asked after
     * the first bytes have been read.
     */
    default byte[] channel() throws IOException {
        return new byte[0];
    }

    /**
     * Whether to come back when the socket can be written; {@code dataWaits} says whether data could not be written
     * completely.
     */
    boolean wantsWrite(boolean dataWaits);
}
