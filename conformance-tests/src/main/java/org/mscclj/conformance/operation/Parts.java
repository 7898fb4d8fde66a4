package org.mscclj.conformance.operation;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.mscclj.api.device.DeviceBuffer;

/**
 * Parts of a buffer of numbers that follow one another, one for each rank.
 *
 * @param starts where they start, and where the last ends, in elements
 */
record Parts(List<Integer> starts) {
    /** Parts of such sizes, in elements, by rank. */
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

    /** Elements of all. */
    int total() {
        return starts.getLast();
    }

    /** Whose part an element is in. */
    int owner(int index) {
        int rank = 0;
        while (index >= start(rank + 1)) {
            rank++;
        }
        return rank;
    }

    /** Cuts a buffer. */
    List<DeviceBuffer> of(DeviceBuffer buffer) {
        return IntStream.range(0, starts.size() - 1)
                .mapToObj(rank -> buffer.slice((long) start(rank) * Integer.BYTES, (long) size(rank) * Integer.BYTES))
                .toList();
    }
}
