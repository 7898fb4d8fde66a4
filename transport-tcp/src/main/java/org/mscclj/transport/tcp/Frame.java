package org.mscclj.transport.tcp;

/**
 * What travels through a lane: a header, then a payload that is padded to whole words, so that in a buffer which starts
 * with a frame every header and every payload is aligned. All numbers are big-endian.
 */
final class Frame {
    /** Bytes for a range of memory. */
    static final byte WRITE = 1;

    /** Adds one to a counter. */
    static final byte SIGNAL = 2;

    /** Says up to which position everything has landed. */
    static final byte ACKNOWLEDGE = 3;

    /** The sender closes the connection in good order. */
    static final byte GOODBYE = 4;

    /** The sender gives the connection up; the payload says why, in UTF-8. */
    static final byte REFUSE = 5;

    /** Type: 1 byte, then 3 of zero. */
    static final int TYPE = 0;

    /** Bytes of payload, without padding: 4 bytes. */
    static final int LENGTH = 4;

    /** The operation's position in the sender's sequence; of an acknowledgement, in the receiver's: 8 bytes. */
    static final int POSITION = 8;

    /** The memory's id: 8 bytes. */
    static final int MEMORY = 16;

    /** Where in the memory: 8 bytes. */
    static final int OFFSET = 24;

    /** Bytes of the whole operation, of which this frame may be a part: 8 bytes. */
    static final int TOTAL = 32;

    /** Bytes of a header. */
    static final int HEADER = 40;

    /** Most bytes of payload. */
    static final int MOST_PAYLOAD = 32 * 1024;

    private Frame() {}

    /** A payload's size with padding. */
    static int padded(int length) {
        return length + Long.BYTES - 1 & -Long.BYTES;
    }
}
