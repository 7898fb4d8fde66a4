package org.mscclj.runtime.execution.lane;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.transfer.Transfer;
import org.mscclj.spi.transfer.TransferSpec;

/**
 * Memory that the point-to-point transfers of a batch read and write. The transfers move concurrently, in any order: no
 * transfer may read or write what another one writes.
 */
final class MessageMemory {
    private final List<Range> ranges = new ArrayList<>();

    /**
     * Memory of a transfer.
     *
     * @param last address of its last byte
     * @param description describes the transfer
     */
    private record Range(long start, long last, boolean written, String description) {}

    private MessageMemory() {}

    /**
     * Refuses a batch in which one transfer writes memory that another one reads or writes. If a rank sends to itself,
     * source and destination must be equal or must not overlap.
     */
    static void requireApart(int rank, TransferSpec spec) {
        if (spec.transfers().size() + spec.copies().size() > 1) {
            MessageMemory memory = new MessageMemory();
            spec.transfers().forEach(memory::add);
            spec.copies().forEach(memory::add);
            memory.requireApart(rank);
        }
    }

    private void add(Transfer transfer) {
        add(transfer.address(), transfer.bytes(), !transfer.sends(), transfer.toString());
    }

    private void add(TransferSpec.LocalCopy copy) {
        add(copy.source(), copy.bytes(), false, "send " + copy.bytes() + " bytes to itself");
        if (copy.source() != copy.destination()) { // else nothing is written
            add(copy.destination(), copy.bytes(), true, "receive " + copy.bytes() + " bytes from itself");
        }
    }

    private void add(long address, long bytes, boolean written, String words) {
        if (bytes > 0) {
            ranges.add(new Range(address, address + bytes - 1, written, words));
        }
    }

    /**
     * In the order of their starts, a range overlaps some earlier range exactly if it overlaps the one that reaches
     * furthest.
     */
    private void requireApart(int rank) {
        ranges.sort(Comparator.comparingLong(Range::start));
        Range furthest = null;
        Range furthestWritten = null;
        for (Range range : ranges) {
            Range earlier = range.written() ? furthest : furthestWritten;
            if (earlier != null && earlier.last() >= range.start()) {
                throw new InvalidArgumentException("rank " + rank + ": the memory of \"" + earlier.description()
                        + "\" overlaps that of \"" + range.description()
                        + "\" in the same batch, whose messages move in any order; pass memory apart"
                        + " for what is received");
            }
            furthest = further(furthest, range);
            furthestWritten = range.written() ? further(furthestWritten, range) : furthestWritten;
        }
    }

    private static Range further(@Nullable Range one, Range other) {
        return one != null && one.last() >= other.last() ? one : other;
    }
}
