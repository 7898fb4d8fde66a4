package org.mscclj.backend.cuda.transport;

import java.util.Arrays;

/** The values of the counters that a connection raises. Few, so they are searched one by one; allocates only for new ones. */
final class SignalValues {
    private long[] addresses = new long[4];
    private long[] values = new long[4];
    private int count;

    /** Whether the counter was started. */
    boolean knows(long address) {
        return index(address) >= 0;
    }

    /** From now on the counter at an address is known, and has a value. */
    void start(long address, long value) {
        if (count == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * count);
            values = Arrays.copyOf(values, 2 * count);
        }
        addresses[count] = address;
        values[count] = value;
        count++;
    }

    /** Raises a known counter; its new value. */
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
}
