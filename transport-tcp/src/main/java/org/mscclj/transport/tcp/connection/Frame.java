package org.mscclj.transport.tcp.connection;

/**
 * The unit of transmission of a lane: a header, then a payload that is padded to whole 8-byte words. In a buffer that
 * starts with a frame, every header and every payload is therefore aligned. All numbers are big-endian.
 */
public final class Frame {
    /** Writes bytes to a range of memory. */
    public static final byte WRITE = 1;

    /** Increments a counter by one. */
    public static final byte SIGNAL = 2;

    /** Acknowledges all operations up to a position: their bytes are in memory. */
    public static final byte ACKNOWLEDGE = 3;

    /** The sender closes the connection normally. */
    public static final byte GOODBYE = 4;

    /** The sender aborts the connection; the payload is the reason, in UTF-8. */
    static final byte REFUSE = 5;

    /** Offset of the type: 1 byte, then 3 zero bytes. */
    public static final int TYPE = 0;

    /** Offset of the payload's size in bytes, without padding: 4 bytes. */
    static final int LENGTH = 4;

    /**
     * Offset of the operation's position in the sender's sequence, or, for an acknowledgement, in the receiver's: 8
     * bytes.
     */
    static final int POSITION = 8;

    /** Offset of the memory's id: 8 bytes. */
    static final int MEMORY = 16;

    /** Offset of the byte offset in the memory: 8 bytes. */
    static final int OFFSET = 24;

    /** Offset of the size of the whole operation in bytes, of which this frame may be a part: 8 bytes. */
    static final int TOTAL = 32;

    /** Size of a header, in bytes. */
    public static final int HEADER = 40;

    /** Maximum size of a payload, in bytes. */
    public static final int MAX_PAYLOAD = 32 * 1024;

    private Frame() {}

    /** Returns a payload's size with padding, in bytes. */
    public static int padded(int length) {
        return length + Long.BYTES - 1 & -Long.BYTES;
    }
}
