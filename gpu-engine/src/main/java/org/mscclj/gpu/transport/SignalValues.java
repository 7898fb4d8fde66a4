package org.mscclj.gpu.transport;

import java.util.Arrays;
import org.mscclj.spi.transport.mapped.PeerMemory;

/**
 * The values of the counters that a connection raises. They are few, so the search is linear. Allocates only for new
 * counters. A counter is removed when its memory is unmapped: the driver may give its address to other memory.
 */
final class SignalValues {
    private PeerMemory[] memories = new PeerMemory[4];
    private long[] addresses = new long[4];
    private long[] values = new long[4];
    private int count;

    /** Whether the counter was started and its memory is still mapped. */
    boolean knows(long address) {
        int index = index(address);
        return index >= 0 && !memories[index].isClosed();
    }

    /** Starts the counter at an address with a value. It is known until the memory is closed. */
    void start(PeerMemory memory, long address, long value) {
        int index = free(address);
        if (index == addresses.length) {
            memories = Arrays.copyOf(memories, 2 * index);
            addresses = Arrays.copyOf(addresses, 2 * index);
            values = Arrays.copyOf(values, 2 * index);
        }
        memories[index] = memory;
        addresses[index] = address;
        values[index] = value;
        count = Math.max(count, index + 1);
    }

    /** Raises a known counter, and returns its new value. */
    long next(long address) {
        return ++values[index(address)];
    }

    private int index(long address) {
        for (int i = 0; i < count; i++) {
            if (addresses[i] == address) {
                return i;
            }
        }
        return -1;
    }

    /** The slot for a counter that is not known. Each address has one slot. */
    private int free(long address) {
        int own = index(address);
        if (own >= 0) {
            return own;
        }
        for (int i = 0; i < count; i++) {
            if (memories[i].isClosed()) {
                return i;
            }
        }
        return count;
    }
}
