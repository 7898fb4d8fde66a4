package org.mscclj.backend.host.channel;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * Memory of a channel, which returns addresses only after it has checked them.
 *
 * @param name for messages
 * @param address its start
 * @param byteSize its size, in bytes
 */
record Range(String name, long address, long byteSize) {
    private static final int PACKET_ALIGNMENT = 16;

    /** Address of {@code bytes} bytes. */
    long at(long offset, long bytes) {
        if (bytes < 0 || bytes > byteSize) {
            throw InvalidArgumentException.of("bytes", bytes, "0 to " + byteSize + ", the size of the " + name);
        }
        if (offset < 0 || offset > byteSize - bytes) {
            throw InvalidArgumentException.of(
                    name + " offset",
                    offset,
                    "0 to " + (byteSize - bytes) + " for " + bytes + " of " + byteSize + " bytes");
        }
        return address + offset;
    }

    /** Address of {@code bytes} bytes at an offset that is a multiple of {@code alignment}. */
    long alignedAt(long offset, long bytes, int alignment) {
        long at = at(offset, bytes);
        if (offset % alignment != 0) {
            throw InvalidArgumentException.of(name + " offset", offset, "multiples of " + alignment);
        }
        if (at % alignment != 0) {
            throw InvalidArgumentException.of(
                    name,
                    "memory that starts at address 0x" + Long.toHexString(address),
                    "memory that starts at multiples of " + alignment + " bytes");
        }
        return at;
    }

    /** Address of the packets of {@code payload} bytes, which take twice this number of bytes. */
    long packetsAt(long offset, long payload) {
        if (payload > byteSize / 2) {
            throw InvalidArgumentException.of(
                    "bytes",
                    payload,
                    "0 to " + byteSize / 2 + ", since packets take twice the space and the " + name + " has " + byteSize
                            + " bytes");
        }
        return alignedAt(offset, 2 * payload, PACKET_ALIGNMENT);
    }
}
