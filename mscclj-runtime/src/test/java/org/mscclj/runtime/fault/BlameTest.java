package org.mscclj.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.LocalControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.LaunchPlace;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.spi.transfer.Transfer;

/** Rank 0 waits for a message of rank 1. */
class BlameTest {
    private static final String SUM = "allreduce of 64 bytes int8, sum, by packets";

    private final AbortFlag abort = new AbortFlag();
    private final LocalControlPlane plane = new LocalControlPlane(Nodes.one(3), Duration.ofSeconds(10), abort);
    private final LaunchOrder order = new LaunchOrder();
    private final FlightRecorder recorder = new FlightRecorder(4, order, abort);
    private final List<PendingTransfer> pending = List.of(PendingTransfer.of(new Transfer(false, 1, 0, 16), 0, 1));

    private Blame blame(LaunchReport ofOne, LaunchReport ofTwo) {
        plane.ofRank(1).reportLaunches(_ -> ofOne);
        plane.ofRank(2).reportLaunches(_ -> ofTwo);
        return Blame.ofMessages(plane.ofRank(0), recorder, pending);
    }

    @Test
    void whoDoesNotSendIsBlamed() {
        Blame blame = blame(new LaunchReport(2, 2, "".hashCode(), "", SUM, "", List.of()), LaunchReport.of(0));
        assertEquals(List.of(1), blame.ranks());
        assertEquals(
                "it could not receive 16 bytes from rank 1 (0 of 1 chunks moved); rank 1: last completed #2, " + SUM,
                blame.description());
    }

    @Test
    void whoKeepsTheOtherEndWaitingIsBlamed() {
        LaunchReport waiting =
                new LaunchReport(0, 0, "".hashCode(), "", "", "receive 16 bytes from rank 2", List.of(2));
        Blame blame = blame(waiting, new LaunchReport(0, 0, "".hashCode(), "", "", "", List.of()));
        assertEquals(List.of(2), blame.ranks());
        assertEquals(
                "it could not receive 16 bytes from rank 1 (0 of 1 chunks moved)"
                        + "; rank 1: has completed nothing, waits in messages (receive 16 bytes from rank 2)"
                        + "; rank 2: has completed nothing",
                blame.description());
    }

    @Test
    void ranksThatWaitForEachOtherAreBlamedIfNobodyElseIs() {
        Blame blame = blame(
                new LaunchReport(0, 0, "".hashCode(), "", "", "receive 16 bytes from rank 2", List.of(2)),
                new LaunchReport(0, 0, "".hashCode(), "", "", "receive 16 bytes from rank 1", List.of(1)));
        assertEquals(List.of(1), blame.ranks());
    }

    @Test
    void whoHasNotCalledWhatTheOtherEndWaitsInIsBlamed() {
        Blame blame = blame(
                new LaunchReport(3, 2, SUM.hashCode(), SUM, SUM, "", List.of()),
                new LaunchReport(2, 2, "".hashCode(), "", SUM, "", List.of()));
        assertEquals(List.of(2), blame.ranks());
    }

    /** Of replays it is known only that at least one has not ended, and all ranks have made that. */
    @Test
    void whoHasNotMadeALaterLaunchIsBlamedIfAllHaveMadeThisOne() {
        for (int i = 0; i < 5; i++) {
            order.take();
        }
        plane.ofRank(1).reportLaunches(_ -> LaunchReport.of(5));
        plane.ofRank(2).reportLaunches(_ -> new LaunchReport(4, 4, "".hashCode(), "", "", "", List.of()));
        Blame blame = Blame.of(plane.ofRank(0), recorder, new LaunchPlace(false, 2));
        assertEquals(List.of(2), blame.ranks());
        assertEquals("rank 2: last completed #4, has not called #5", blame.description());
    }

    @Test
    void whoHasNotMadeALaterLaunchIsNotBlamedIfItWaitsItself() {
        for (int i = 0; i < 5; i++) {
            order.take();
        }
        plane.ofRank(1).reportLaunches(_ -> LaunchReport.of(5));
        plane.ofRank(2).reportLaunches(_ -> new LaunchReport(4, 1, "".hashCode(), "", "", "", List.of()));
        assertEquals(
                List.of(),
                Blame.of(plane.ofRank(0), recorder, new LaunchPlace(false, 2)).ranks());
    }
}
