package org.mscclj.cli.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.cli.options.Quantities;

/**
 * A range of message sizes, each {@code factor} times the previous one. As in nccl-tests, a size is that of the output
 * for allgather, and that of the input otherwise.
 *
 * @param from the smallest size, in bytes
 * @param to the largest size, in bytes
 * @param factor the factor between sizes
 */
public record SizeRange(long from, long to, int factor) {
    private static final long DEFAULT_TO = 64L << 20;

    /** Parses the options {@code -b}, {@code -e} and {@code -f}. */
    public static SizeRange parse(String from, Optional<String> to, int factor) {
        long least = Quantities.bytes("-b", from);
        long greatest = to.map(text -> Quantities.bytes("-e", text)).orElseGet(() -> Math.max(least, DEFAULT_TO));
        if (greatest < least) {
            throw InvalidArgumentException.of("-e", to.orElse(""), "at least what -b says, " + from);
        }
        if (factor < 2) {
            throw InvalidArgumentException.of("-f", factor, "2 or more");
        }
        return new SizeRange(least, greatest, factor);
    }

    /**
     * Returns the number of elements of a slice for each size: rounded down to whole elements for each rank, at least
     * one for a size above 0, without duplicates.
     */
    public List<Long> counts(Collective collective, int ranks, DataType type) {
        long slices = collective == Collective.ALLGATHER ? ranks : collective.inputSlices(ranks);
        long unit = slices * type.byteSize();
        List<Long> counts = new ArrayList<>();
        long size = from;
        while (true) {
            long count = size == 0 ? 0 : Math.max(1, size / unit);
            if (counts.isEmpty() || counts.getLast() != count) {
                counts.add(count);
            }
            if (size > to / factor) {
                return counts;
            }
            size = size == 0 ? 1 : size * factor;
            if (size > to) {
                return counts;
            }
        }
    }
}
