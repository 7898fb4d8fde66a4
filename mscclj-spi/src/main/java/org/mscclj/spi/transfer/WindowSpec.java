package org.mscclj.spi.transfer;

import java.util.List;

/**
 * What kernels of users are told of a window.
 *
 * @param lanes whose channels carry the window's signals
 * @param addresses where each rank's memory starts, as this rank's device sees it; 0 where it has none, or does not see
 *     it
 * @param sizes size of each rank's memory, in bytes
 */
public record WindowSpec(TransferLanes lanes, List<Long> addresses, List<Long> sizes) {
    /** Copies the lists. */
    public WindowSpec {
        addresses = List.copyOf(addresses);
        sizes = List.copyOf(sizes);
    }
}
