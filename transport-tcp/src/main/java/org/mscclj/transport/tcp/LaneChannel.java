package org.mscclj.transport.tcp;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A socket, encrypted or not. Neither reading nor writing blocks. */
interface LaneChannel extends Closeable {
    /** Reads what is there; −1 if the peer has closed. */
    int read(ByteBuffer to) throws IOException;

    /** Writes what fits. */
    int write(ByteBuffer from) throws IOException;

    /** Whether it has received what was not read yet, of which the socket does not tell any more. */
    boolean holdsReceived();

    /** Whether to come back when the socket can be written; {@code dataWaits} says whether data could not be written completely. */
    boolean wantsWrite(boolean dataWaits);
}
