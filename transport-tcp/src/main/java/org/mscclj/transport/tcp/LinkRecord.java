package org.mscclj.transport.tcp;

/**
 * What travels through a link: a header, and for {@link #DATA} so many bytes as it says. A header has a kind, a stream
 * and a number, 4 bytes each, big-endian.
 */
final class LinkRecord {
    /** The connecting side begins a stream. */
    static final int OPEN = 1;

    /** Bytes of a stream; the number says how many. */
    static final int DATA = 2;

    /** The receiver of a stream has room for so many bytes more. */
    static final int CREDIT = 3;

    /** The sender of a stream sends no more on it, and takes no more. */
    static final int END = 4;

    static final int KIND = 0;
    static final int STREAM = 4;
    static final int NUMBER = 8;

    /** Bytes of a header. */
    static final int HEADER = 12;

    /** Most bytes of {@link #DATA}: what a lane has room for. */
    static final int MOST = 128 * 1024 + 256;

    /**
     * Bytes that a stream may have in flight before its ends know each other: its greeting, and a goodbye or the reason
     * for giving up, for which this much is kept free later on.
     */
    static final int FIRST_WINDOW = 1024;

    /** Bytes that may be in flight besides, once they do; as many as sockets usually hold. */
    static final int WINDOW = 4 << 20;

    private LinkRecord() {}
}
