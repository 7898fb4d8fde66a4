package org.mscclj.spi.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TransferSpecTest {
    private static final TransferLanes LANES = TransferPreference.HOST.lanes(List.of(0, 0, 0));
    private static final Transfer SMALL = new Transfer(false, 1, 0, 16);
    private static final Transfer LARGE = new Transfer(false, 2, 0, 1 << 20);
    private static final Transfer BEHIND = new Transfer(false, 2, 0, 32);

    private static List<PendingTransfer> of(Transfer... transfers) {
        return Stream.of(transfers).map(PendingTransfer::of).toList();
    }

    /** The large message has two lanes; the one behind it takes the first of them. */
    @Test
    void messagesArePendingUntilAllTheirBlocksHaveEnded() {
        TransferSpec spec = new TransferSpec(
                LANES, List.of(SMALL, LARGE, BEHIND), List.of(new TransferSpec.LocalCopy(0, 64, 64)), List.of());
        assertEquals(3, spec.laneShares().size());
        assertEquals(of(SMALL, LARGE, BEHIND), spec.pending(_ -> false));
        assertEquals(of(LARGE, BEHIND), spec.pending(Set.of(0)::contains));
        assertEquals(of(SMALL, LARGE), spec.pending(Set.of(1)::contains));
        assertEquals(of(LARGE), spec.pending(Set.of(0, 1)::contains));
        assertEquals(of(), spec.pending(Set.of(0, 1, 2)::contains));
    }

    @Test
    void blocksOfSignalsFollowThoseOfCopies() {
        TransferSpec.Signal first = new TransferSpec.Signal(1, false);
        TransferSpec.Signal second = new TransferSpec.Signal(2, false);
        TransferSpec spec = new TransferSpec(
                LANES, List.of(), List.of(new TransferSpec.LocalCopy(0, 1 << 20, 1 << 20)), List.of(first, second));
        int copies = spec.copyShares().size();
        assertEquals(List.of(PendingTransfer.of(second)), spec.pending(Set.of(copies)::contains));
    }
}
