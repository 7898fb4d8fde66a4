package org.mscclj.transport.tcp.link;

/**
 * The unit of transmission of a link: a header, which {@link #DATA} follows with as many bytes as the header's number.
 * A header has a kind, a stream and a number, 4 bytes each, big-endian.
 */
public final class LinkRecord {
    /** Opens a stream; only the connecting side sends it. */
    public static final int OPEN = 1;

    /** Bytes of a stream; the number is their count. */
    public static final int DATA = 2;

    /** Credit: the sender of a stream may send this many bytes more. */
    public static final int CREDIT = 3;

    /** Ends a stream: its sender sends and receives nothing more on it. */
    public static final int END = 4;

    static final int KIND = 0;
    static final int STREAM = 4;
    static final int NUMBER = 8;

    /** Size of a header, in bytes. */
    public static final int HEADER = 12;

    /** Maximum payload of {@link #DATA}, in bytes: the size of a lane's buffer. */
    public static final int MAX_DATA = 128 * 1024 + 256;

    /**
     * Maximum bytes that a stream has in flight before its ends have authenticated each other: a greeting, and a
     * goodbye or the reason of an abort, for which this much of the window stays reserved later.
     */
    public static final int FIRST_WINDOW = 1024;

    /** Maximum bytes in flight in addition, once they have: as many as sockets usually buffer. */
    public static final int WINDOW = 4 << 20;

    private LinkRecord() {}
}
