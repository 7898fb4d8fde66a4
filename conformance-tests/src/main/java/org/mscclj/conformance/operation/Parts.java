package org.mscclj.conformance.operation;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.mscclj.api.device.DeviceBuffer;

/**
 * Consecutive parts of a buffer of integers, one for each rank.
 *
 * @param starts the start of each part and the end of the last part, in elements
 */
record Parts(List<Integer> starts) {
    /** Returns parts of the given sizes, in elements, by rank. */
    static Parts of(int ranks, IntUnaryOperator size) {
        return new Parts(IntStream.rangeClosed(0, ranks)
                .mapToObj(rank -> IntStream.range(0, rank).map(size).sum())
                .toList());
    }

    int start(int rank) {
        return starts.get(rank);
    }

    int size(int rank) {
        return start(rank + 1) - start(rank);
    }

    /** Returns the number of elements of all parts. */
    int total() {
        return starts.getLast();
    }

    /** Returns the rank whose part contains an element. */
    int owner(int index) {
        int rank = 0;
        while (index >= start(rank + 1)) {
            rank++;
        }
        return rank;
    }

    /** Cuts a buffer into the parts. */
    List<DeviceBuffer> of(DeviceBuffer buffer) {
        return IntStream.range(0, starts.size() - 1)
                .mapToObj(rank -> buffer.slice((long) start(rank) * Integer.BYTES, (long) size(rank) * Integer.BYTES))
                .toList();
    }
}
