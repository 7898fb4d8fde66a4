package org.mscclj.runtime.recorder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.spi.transfer.Transfer;

/** What waits in a graph whose launches are launched as one. */
class RecordedGraphTest {
    private static final OperationDescription MESSAGES =
            new OperationDescription("messages", "", "", -1, 8, false, "point_to_point");

    private static PendingTransfer from(int peer) {
        return PendingTransfer.of(new Transfer(false, peer, 0, 8));
    }

    private static RecordedOperation messages(int peer, boolean underWay) {
        return new RecordedOperation(MESSAGES, new RecordedOperation.Progress() {
            @Override
            public boolean isEnded(long number) {
                return true; // of launches that are no replays
            }

            @Override
            public long atWork() {
                return underWay ? 1 : 0;
            }

            @Override
            public List<PendingTransfer> pendingOfReplay() {
                return underWay ? List.of(from(peer)) : List.of();
            }
        });
    }

    private static List<PendingTransfer> pending(RecordedOperation... all) {
        return RecordedOperation.together(MESSAGES, "a graph", () -> 1, List.of(all))
                .pending(RecordedOperation.REPLAY);
    }

    @Test
    void onlyTheOneAtWorkWaits() {
        assertEquals(List.of(from(2)), pending(messages(1, false), messages(2, true), messages(3, false)));
    }

    @Test
    void nothingWaitsWhereNoneIsAtWork() {
        assertEquals(List.of(), pending(messages(1, false), messages(2, false)));
    }
}
