package org.mscclj.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.transport.tcp.connection.Frame;
import org.mscclj.transport.tcp.link.LinkRecord;

/** Connections of different communicators that share a socket: what one peer may do, and what happens to others. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinksTest {
    private static final int GUARD = Awaiting.GUARD;

    private static void awaitSignal(Awaiting side) {
        while (side.side.device.readCounter(side.side.buffer, GUARD) == 0) {
            Thread.onSpinWait();
        }
    }

    private static boolean isUntouched(Awaiting side) {
        byte[] zeros = new byte[Awaiting.BYTES + 2 * GUARD];
        return side.side.buffer.segment().mismatch(MemorySegment.ofArray(zeros)) < 0;
    }

    private static RawPeer over(RawPeer link, Awaiting side) throws IOException {
        RawPeer lane = new RawPeer(link);
        assertTrue(lane.greet(side.description().id(), side.description().token()));
        return lane;
    }

    /** Its operations wait for one of another lane, and exceed the buffer of the lane. */
    @Test
    void aFullLaneBlocksNoOtherConnection() throws Exception {
        int operations = 4000;
        try (Awaiting stalled = new Awaiting(2);
                Awaiting other = new Awaiting(2);
                RawPeer first = stalled.accepted(0, 2)) {
            RawPeer second = new RawPeer(first);
            assertTrue(second.greet(
                    stalled.description().id(), stalled.description().token(), 1, 2));
            for (int position = 2; position <= operations; position++) {
                second.frame(Frame.WRITE, 200, position, stalled.memoryId(), 0, 200);
            }
            RawPeer lane = new RawPeer(first);
            assertTrue(lane.greet(other.description().id(), other.description().token(), 0, 2));
            lane.frame(Frame.SIGNAL, 0, 1, other.memoryId(), 0, 0);
            awaitSignal(other);
            assertTrue(isUntouched(stalled));
            first.frame(Frame.WRITE, 8, 1, stalled.memoryId(), 0, 8);
            first.frame(Frame.SIGNAL, 0, operations + 1, stalled.memoryId(), 208, 0);
            while (stalled.side.device.readCounter(stalled.side.buffer, GUARD + 208) == 0) {
                Thread.onSpinWait();
            }
            assertTrue(stalled.side.failures.isEmpty(), stalled.side.failures::toString);
            assertTrue(other.side.failures.isEmpty(), other.side.failures::toString);
        }
    }

    /** A rank is authenticated for one communicator; of another one it knows the address, and no secret. */
    @Test
    void aPeerReachesOnlyConnectionsWhoseTokenItHas() throws Exception {
        try (Awaiting member = new Awaiting(1);
                Awaiting foreign = new Awaiting(1);
                RawPeer peer = member.accepted()) {
            RawPeer liar = new RawPeer(peer);
            assertFalse(
                    liar.greet(foreign.description().id(), member.description().token()));
            peer.frame(Frame.SIGNAL, 0, 1, member.memoryId(), 0, 0); // which goes on
            awaitSignal(member);
            peer.frame(Frame.WRITE, 8, 2, foreign.memoryId(), 0, 8);
            String reason = member.side.awaitFailure();
            assertTrue(reason.contains("never registered"), reason);
            assertTrue(isUntouched(foreign));
            assertTrue(foreign.side.failures.isEmpty(), foreign.side.failures::toString);
        }
    }

    @Test
    void anAbortedConnectionLeavesOthersAlone() throws Exception {
        try (Awaiting bad = new Awaiting(1);
                Awaiting good = new Awaiting(1);
                RawPeer peer = bad.accepted()) {
            RawPeer lane = over(peer, good);
            peer.frame(99, 0, 1, bad.memoryId(), 0, 0);
            assertTrue(bad.side.awaitFailure().contains("unknown type 99"));
            lane.frame(Frame.SIGNAL, 0, 1, good.memoryId(), 0, 0);
            awaitSignal(good);
            assertTrue(good.side.failures.isEmpty(), good.side.failures::toString);
        }
    }

    @Test
    void aSocketThatBreaksFailsAllItsConnections() throws Exception {
        try (Awaiting left = new Awaiting(1);
                Awaiting right = new Awaiting(1)) {
            try (RawPeer peer = left.accepted()) {
                RawPeer lane = over(peer, right);
                lane.frame(Frame.SIGNAL, 0, 1, right.memoryId(), 0, 0);
                awaitSignal(right);
                peer.socket.setSoLinger(true, 0); // as if its process were killed
            }
            for (Awaiting side : new Awaiting[] {left, right}) {
                String reason = side.side.awaitFailure();
                assertTrue(reason.startsWith("connection over tcp to 127.0.0.1:9: "), reason);
            }
        }
    }

    /** A record that must be refused: kind, stream, number. */
    private record BadRecord(int kind, int stream, int number) {}

    static Stream<BadRecord> badRecords() {
        return Stream.of(
                new BadRecord(99, 0, 0),
                new BadRecord(LinkRecord.DATA, 0, 0),
                new BadRecord(LinkRecord.DATA, 0, -1),
                new BadRecord(LinkRecord.DATA, 0, LinkRecord.MAX_DATA + 1),
                new BadRecord(LinkRecord.DATA, 0, LinkRecord.WINDOW + LinkRecord.FIRST_WINDOW),
                new BadRecord(LinkRecord.DATA, 2, 1),
                new BadRecord(LinkRecord.DATA, -1, 1),
                new BadRecord(LinkRecord.DATA, Integer.MAX_VALUE, 1),
                new BadRecord(LinkRecord.OPEN, 0, 0),
                new BadRecord(LinkRecord.OPEN, -1, 0),
                new BadRecord(LinkRecord.OPEN, Integer.MAX_VALUE, 0),
                new BadRecord(LinkRecord.OPEN, 3, 0),
                new BadRecord(LinkRecord.CREDIT, 0, -1),
                new BadRecord(LinkRecord.CREDIT, 0, LinkRecord.WINDOW + LinkRecord.FIRST_WINDOW),
                new BadRecord(LinkRecord.CREDIT, 2, 1),
                new BadRecord(LinkRecord.END, 2, 0));
    }

    @ParameterizedTest
    @MethodSource("badRecords")
    void aBadRecordEndsTheLink(BadRecord bad) throws Exception {
        try (Awaiting left = new Awaiting(1);
                Awaiting right = new Awaiting(1);
                RawPeer peer = left.accepted()) {
            RawPeer lane = over(peer, right);
            assertEquals(1, lane.stream());
            peer.record(bad.kind(), bad.stream(), bad.number());
            left.side.awaitFailure();
            right.side.awaitFailure();
            assertTrue(isUntouched(left) && isUntouched(right));
        }
    }

    /** More of a stream that was opened, and not greeted, than a greeting has. */
    @Test
    void anUnauthenticatedStreamHasASmallWindow() throws Exception {
        try (Awaiting side = new Awaiting(1);
                RawPeer peer = side.accepted()) {
            peer.record(LinkRecord.OPEN, 1, 0);
            peer.record(LinkRecord.DATA, 1, LinkRecord.FIRST_WINDOW + 1);
            String reason = side.side.awaitFailure();
            assertTrue(reason.contains("more than it may"), reason);
        }
    }

    /** A number is used again when both sides have ended its stream. */
    @Test
    void streamsAreReused() throws Exception {
        try (Awaiting side = new Awaiting(1);
                RawPeer peer = side.accepted()) {
            for (int round = 0; round < 200; round++) {
                peer.record(LinkRecord.OPEN, 1, 0);
                peer.record(LinkRecord.END, 1, 0); // which ends its greeting, on the other side too
            }
            peer.frame(Frame.SIGNAL, 0, 1, side.memoryId(), 0, 0);
            awaitSignal(side);
            assertTrue(side.side.failures.isEmpty(), side.side.failures::toString);
        }
    }
}
