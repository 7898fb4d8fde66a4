package org.mscclj.runtime.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;

class PointToPointTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static LocalGroup group(int ranks, int ranksPerNode) {
        return LocalGroup.open(LocalGroupOptions.ranks(ranks)
                .ranksPerNode(ranksPerNode)
                .backend("host")
                .timeout(TIMEOUT));
    }

    private static byte[] message(long seed, long bytes) {
        byte[] content = new byte[Math.toIntExact(bytes)];
        new Random(seed).nextBytes(content);
        return content;
    }

    private static DeviceBuffer filled(Communicator communicator, byte[] content) {
        DeviceBuffer buffer = communicator.device().allocate(content.length);
        buffer.copyFrom(MemorySegment.ofArray(content));
        return buffer;
    }

    private static byte[] content(DeviceBuffer buffer) {
        byte[] content = new byte[Math.toIntExact(buffer.byteSize())];
        buffer.copyTo(MemorySegment.ofArray(content));
        return content;
    }

    /** What a rank sends another in a round: any sizes, empty ones and those of many chunks too. */
    private static byte[] between(long seed, int from, int to, int round) {
        long own = seed * 31 + from * 1_000L + to * 10L + round;
        int bits = new Random(own).nextInt(22);
        return message(own, new Random(own + 1).nextInt(1 << bits));
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "3, 3", "5, 5", "8, 8", "2, 1", "4, 2", "6, 3"})
    void allRanksExchangeMessagesOfAnySize(int ranks, int ranksPerNode) {
        long seed = System.nanoTime();
        try (LocalGroup group = group(ranks, ranksPerNode)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                for (int round = 0; round < 4; round++) {
                    TransferCall call = TransferCall.batch();
                    List<DeviceBuffer> received = new ArrayList<>();
                    for (int peer = 0; peer < ranks; peer++) {
                        call = call.send(filled(communicator, between(seed, rank, peer, round)), peer);
                        received.add(communicator.device().allocate(between(seed, peer, rank, round).length));
                        call = call.receive(received.getLast(), peer);
                    }
                    communicator.execute(call).join();
                    for (int peer = 0; peer < ranks; peer++) {
                        assertArrayEquals(
                                between(seed, peer, rank, round),
                                content(received.get(peer)),
                                "seed " + seed + ", from " + peer + " to " + rank + " in round " + round);
                    }
                    call.messages().forEach(message -> message.buffer().close());
                }
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "2, 1"})
    void messagesKeepTheirOrder(int ranks, int ranksPerNode) {
        try (LocalGroup group = group(ranks, ranksPerNode)) {
            group.run(communicator -> {
                int messages = 300;
                try (DeviceBuffer buffer = communicator.device().allocate(8L * messages)) {
                    List<Work> works = new ArrayList<>();
                    for (int i = 0; i < messages; i++) {
                        DeviceBuffer part = buffer.slice(8L * i, 8);
                        if (communicator.rank() == 0) {
                            part.copyFrom(MemorySegment.ofArray(new long[] {i}));
                            works.add(communicator.send(part, 1));
                        } else {
                            works.add(communicator.receive(part, 0));
                        }
                    }
                    works.forEach(Work::join);
                    long[] all = new long[messages];
                    buffer.copyTo(MemorySegment.ofArray(all));
                    for (int i = 0; i < messages; i++) {
                        assertEquals(i, all[i]);
                    }
                }
            });
        }
    }

    @Test
    void preparedMessagesAreLaunchedAgainAndMeetOthers() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                int peer = 1 - communicator.rank();
                try (DeviceBuffer out = communicator.device().allocate(100_000);
                        DeviceBuffer in = communicator.device().allocate(100_000);
                        PreparedOperation both = communicator.prepare(
                                TransferCall.batch().send(out, peer).receive(in, peer))) {
                    for (int launch = 0; launch < 50; launch++) {
                        out.copyFrom(MemorySegment.ofArray(message(launch * 2L + communicator.rank(), 100_000)));
                        if (launch % 3 == 2 && communicator.rank() == 0) {
                            communicator
                                    .execute(
                                            TransferCall.batch().send(out, peer).receive(in, peer))
                                    .join();
                        } else {
                            both.run(TIMEOUT);
                        }
                        assertArrayEquals(message(launch * 2L + peer, 100_000), content(in));
                    }
                }
            });
        }
    }

    @Test
    void otherRanksNeedNotKnow() {
        try (LocalGroup group = group(4, 4)) {
            group.run(communicator -> {
                try (DeviceBuffer buffer = communicator.allocate(4096)) {
                    for (int round = 0; round < 20; round++) {
                        if (communicator.rank() == 1) {
                            buffer.copyFrom(MemorySegment.ofArray(message(round, 4096)));
                            communicator.send(buffer, 3).join();
                        } else if (communicator.rank() == 3) {
                            communicator.receive(buffer, 1).join();
                            assertArrayEquals(message(round, 4096), content(buffer));
                        }
                        buffer.copyFrom(MemorySegment.ofArray(new byte[4096]));
                        communicator
                                .execute(CollectiveCall.allReduce(buffer, DataType.INT32))
                                .join();
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "2, 1"})
    void unequalSizesAreNamed(int ranks, int ranksPerNode) {
        try (LocalGroup group = group(ranks, ranksPerNode)) {
            MsccljException failure = assertThrows(
                    MsccljException.class,
                    () -> group.run(communicator -> {
                        try (DeviceBuffer buffer = communicator.device().allocate(4096)) {
                            Work work = communicator.rank() == 0
                                    ? communicator.send(buffer, 1)
                                    : communicator.receive(buffer.slice(0, 1024), 0);
                            work.join();
                            communicator.barrier(); // whoever sends has done its part
                        }
                    }));
            assertTrue(
                    String.valueOf(failure.getMessage())
                            .contains("rank 0 sends 4096 bytes, where rank 1 receives 1024"),
                    failure::getMessage);
        }
    }

    @Test
    void whoIsMissingIsNamed() {
        try (LocalGroup group = group(3, 3)) {
            group.run(communicator -> {
                if (communicator.rank() != 0) {
                    return;
                }
                DeviceBuffer buffer = communicator.device().allocate(1000);
                Work work = communicator.receive(buffer, 2);
                OperationTimeoutException late =
                        assertThrows(OperationTimeoutException.class, () -> work.join(Duration.ofMillis(50)));
                assertEquals(List.of(2), late.missingRanks());
                assertTrue(
                        String.valueOf(late.getMessage()).contains("receive 1000 bytes from rank 2"), late::getMessage);
                assertFalse(work.isCompleted());
                communicator.abort("enough");
                assertThrows(AbortedException.class, work::join);
            });
        }
    }

    @Test
    void whoKeepsAnEarlierCollectiveIsNamedInsteadOfTheOtherEnd() {
        try (LocalGroup group = group(3, 3)) {
            group.run(communicator -> {
                DeviceBuffer sum = communicator.allocate(64);
                DeviceBuffer buffer = communicator.device().allocate(1000);
                CollectiveCall call = CollectiveCall.allReduce(sum, DataType.INT32);
                communicator.execute(call).join();
                Work inFront = communicator.rank() < 2 ? communicator.execute(call) : null;
                if (inFront != null) {
                    Work work =
                            communicator.rank() == 0 ? communicator.send(buffer, 1) : communicator.receive(buffer, 0);
                    communicator.barrier(); // both have launched
                    OperationTimeoutException late =
                            assertThrows(OperationTimeoutException.class, () -> work.join(Duration.ofMillis(50)));
                    assertEquals(List.of(2), late.missingRanks(), late::getMessage);
                    assertTrue(
                            String.valueOf(late.getMessage())
                                    .contains("it waits behind launch #2 of this rank, allreduce"),
                            late::getMessage);
                    communicator.barrier();
                    work.join();
                    inFront.join();
                } else {
                    communicator.barrier();
                    communicator.barrier();
                    communicator.execute(call).join();
                }
            });
        }
    }

    @Test
    void whoKeepsAnEarlierMessageIsNamedByWhatIsLaunchedAgainBehindIt() {
        try (LocalGroup group = group(3, 3)) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.device().allocate(1000);
                DeviceBuffer other = communicator.device().allocate(1000);
                if (communicator.rank() != 0) {
                    if (communicator.rank() == 1) {
                        communicator.send(buffer, 0).join();
                    }
                    communicator.barrier();
                    communicator.send(buffer, 0).join();
                    return;
                }
                try (PreparedOperation again =
                        communicator.prepare(TransferCall.batch().receive(buffer, 1))) {
                    again.run(TIMEOUT);
                    Work inFront = communicator.receive(other, 2);
                    again.launch();
                    OperationTimeoutException late =
                            assertThrows(OperationTimeoutException.class, () -> again.join(Duration.ofMillis(50)));
                    assertEquals(List.of(2), late.missingRanks(), late::getMessage);
                    String words = String.valueOf(late.getMessage());
                    assertTrue(words.startsWith("receive 1000 bytes from rank 1, launch 2, rank 0: not ended"), words);
                    assertTrue(
                            words.contains("it waits behind messages #2 of this rank, receive 1000 bytes from rank 2: "
                                    + "it could not receive 1000 bytes from rank 2 (0 of 1 chunks moved)"),
                            words);
                    communicator.barrier();
                    inFront.join();
                    again.join(TIMEOUT);
                }
            });
        }
    }

    /** The second message of a lane begins after the first: what an earlier launch has moved of it does not count. */
    @Test
    void messagesOfAnEarlierLaunchDoNotCountAsMoved() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.device().allocate(64);
                DeviceBuffer other = communicator.device().allocate(96);
                if (communicator.rank() == 1) {
                    communicator.send(buffer, 0).join();
                    communicator.send(other, 0).join();
                    communicator.barrier();
                    communicator.send(buffer, 0).join();
                    communicator.send(other, 0).join();
                    return;
                }
                try (PreparedOperation both = communicator.prepare(
                        TransferCall.batch().receive(buffer, 1).receive(other, 1))) {
                    both.run(TIMEOUT);
                    both.launch();
                    OperationTimeoutException late =
                            assertThrows(OperationTimeoutException.class, () -> both.join(Duration.ofMillis(50)));
                    assertTrue(
                            String.valueOf(late.getMessage())
                                    .contains("it could not receive 64 bytes from rank 1 (0 of 1 chunks moved),"
                                            + " receive 96 bytes from rank 1 (0 of 1 chunks moved)"),
                            late::getMessage);
                    communicator.barrier();
                    both.join(TIMEOUT);
                }
            });
        }
    }

    /** Rank 0 waits for rank 1, which waits for rank 2, which does nothing. */
    @Test
    void whoKeepsTheOtherEndWaitingIsNamed() {
        try (LocalGroup group = group(3, 3)) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.device().allocate(1000);
                if (communicator.rank() == 2) {
                    communicator.barrier();
                    communicator.barrier();
                    communicator.send(buffer, 1).join();
                    return;
                }
                Work work = communicator.receive(buffer, communicator.rank() + 1);
                communicator.barrier();
                if (communicator.rank() == 0) {
                    OperationTimeoutException late =
                            assertThrows(OperationTimeoutException.class, () -> work.join(Duration.ofMillis(50)));
                    assertEquals(List.of(2), late.missingRanks(), late::getMessage);
                }
                communicator.barrier();
                work.join();
                if (communicator.rank() == 1) {
                    communicator.send(buffer, 0).join();
                }
            });
        }
    }

    @Test
    void badCallsChangeNothing() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                try (DeviceBuffer buffer = communicator.device().allocate(64)) {
                    assertThrows(InvalidArgumentException.class, () -> communicator.send(buffer, 2));
                    assertThrows(InvalidArgumentException.class, () -> communicator.receive(buffer, -1));
                    assertThrows(InvalidArgumentException.class, () -> communicator.send(buffer, communicator.rank()));
                    DeviceBuffer closed = communicator.device().allocate(8);
                    closed.close();
                    assertThrows(InvalidArgumentException.class, () -> communicator.send(closed, 0));
                    DeviceBuffer half = buffer.slice(0, 32);
                    communicator
                            .execute(TransferCall.batch()
                                    .send(half, communicator.rank())
                                    .receive(buffer.slice(32, 32), communicator.rank()))
                            .join();
                    communicator.execute(TransferCall.batch()).join();
                    communicator.barrier();
                }
            });
        }
    }

    @Test
    void whatIsReceivedIntoMemoryOfAnotherMessageIsRefused() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                int peer = 1 - rank;
                try (DeviceBuffer buffer = communicator.device().allocate(256)) {
                    DeviceBuffer low = buffer.slice(0, 64);
                    DeviceBuffer across = buffer.slice(63, 64);
                    DeviceBuffer high = buffer.slice(127, 64);
                    for (TransferCall call : List.of(
                            TransferCall.batch().send(low, peer).receive(low, peer),
                            TransferCall.batch().receive(low, peer).receive(across, peer),
                            TransferCall.batch().receive(across, peer).send(low, peer),
                            TransferCall.batch()
                                    .send(buffer, peer)
                                    .send(low, peer)
                                    .receive(high, peer),
                            TransferCall.batch()
                                    .send(low, rank)
                                    .receive(high, rank)
                                    .send(buffer.slice(190, 1), peer),
                            TransferCall.batch()
                                    .send(low, rank)
                                    .receive(low, rank)
                                    .receive(across, peer))) {
                        InvalidArgumentException e = assertThrows(
                                InvalidArgumentException.class, () -> communicator.execute(call), call::toString);
                        assertTrue(String.valueOf(e.getMessage()).contains("overlaps"), e::getMessage);
                        assertThrows(InvalidArgumentException.class, () -> communicator.prepare(call));
                    }
                    communicator
                            .execute(TransferCall.batch()
                                    .send(low, peer)
                                    .send(low, peer)
                                    .send(low, rank)
                                    .receive(low, rank) // where it lies already
                                    .receive(buffer.slice(64, 63).slice(0, 0), rank)
                                    .send(low.slice(3, 0), rank)
                                    .receive(buffer.slice(64, 64), peer)
                                    .receive(buffer.slice(128, 64), peer))
                            .join();
                    communicator.barrier();
                }
            });
        }
    }

    @Test
    void buffersInFlightAreNotClosed() {
        try (LocalGroup group = group(2, 2)) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.device().allocate(1 << 20);
                if (communicator.rank() == 0) {
                    Work work = communicator.receive(buffer, 1);
                    assertThrows(InvalidArgumentException.class, buffer::close);
                    communicator.barrier();
                    work.join();
                } else {
                    communicator.barrier();
                    communicator.send(buffer, 0).join();
                }
                buffer.close();
            });
        }
    }

    @Test
    void childrenHaveLanesOfTheirOwn() {
        try (LocalGroup group = group(4, 4)) {
            group.run(parent -> {
                Communicator child = parent.split(parent.rank() % 2 == 0 ? List.of(2, 0) : List.of(3, 1), "half")
                        .orElseThrow();
                try (child;
                        DeviceBuffer out = filled(parent, message(parent.rank(), 777));
                        DeviceBuffer in = parent.device().allocate(777)) {
                    int peer = 1 - child.rank();
                    child.execute(TransferCall.batch().send(out, peer).receive(in, peer))
                            .join();
                    assertArrayEquals(message((parent.rank() + 2) % 4, 777), content(in));
                }
            });
        }
    }
}
