package org.mscclj.spi.transfer;

import java.util.List;

/**
 * The data of a window for the application's kernels.
 *
 * @param lanes the lanes whose channels carry the window's signals
 * @param addresses start of each rank's memory, as an address of this rank's device; 0 where the rank has none, or the
 *     device cannot access it
 * @param sizes size of each rank's memory, in bytes
 */
public record WindowSpec(TransferLanes lanes, List<Long> addresses, List<Long> sizes) {
    /** Copies the lists. */
    public WindowSpec {
        addresses = List.copyOf(addresses);
        sizes = List.copyOf(sizes);
    }
}
