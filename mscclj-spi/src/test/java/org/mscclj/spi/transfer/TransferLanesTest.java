package org.mscclj.spi.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pairing.ChannelPairing;

class TransferLanesTest {
    private static final int ROUNDS = 60;

    private static TransferLanes random(Random random) {
        List<Integer> nodes = new ArrayList<>();
        for (int rank = random.nextInt(1, 9); rank > 0; rank--) {
            nodes.add(random.nextInt(3));
        }
        return new TransferLanes(nodes, random.nextInt(1, 4), random.nextInt(1, 5), 128, random.nextInt(1, 4));
    }

    private static int ranks(TransferLanes lanes) {
        return lanes.plan().worldSize();
    }

    /** Both ends of a lane have channels that are partners, and no two lanes share one. */
    @Test
    void endsOfALaneArePartners() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            TransferLanes lanes = random(random);
            Plan plan = lanes.plan();
            ChannelPairing memory = ChannelPairing.of(plan, ChannelType.MEMORY);
            ChannelPairing ports = ChannelPairing.of(plan, ChannelType.PORT);
            for (int rank = 0; rank < ranks(lanes); rank++) {
                Set<List<Object>> used = new HashSet<>();
                for (int peer = 0; peer < ranks(lanes); peer++) {
                    for (int lane = 0; lane < lanes.lanes() && peer != rank; lane++) {
                        boolean mapped = lanes.isMapped(rank, peer);
                        for (boolean outward : new boolean[] {false, true}) {
                            int channel = lanes.channel(rank, peer, lane, outward);
                            assertEquals(
                                    new ChannelPairing.Endpoint(peer, lanes.channel(peer, rank, lane, !outward)),
                                    (mapped ? memory : ports).partner(rank, channel),
                                    "seed " + seed);
                            assertTrue(used.add(List.of(mapped, channel)), "seed " + seed);
                        }
                    }
                }
            }
        }
    }

    @Test
    void slotsHaveOneUse() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            TransferLanes lanes = random(random);
            for (int rank = 0; rank < ranks(lanes); rank++) {
                Set<Integer> used = new HashSet<>();
                for (int peer = 0; peer < ranks(lanes); peer++) {
                    for (int lane = 0; lane < lanes.lanes() && peer != rank; lane++) {
                        add(used, lanes.inboxSlot(rank, peer, lane), lanes.slots(), seed);
                        if (!lanes.isMapped(rank, peer)) {
                            add(used, lanes.outboxSlot(rank, peer, lane), lanes.slots(), seed);
                        }
                    }
                }
                int chunks = lanes.plan().ranks().get(rank).scratchChunks();
                assertEquals(
                        IntStream.range(0, chunks).boxed().toList(),
                        used.stream().sorted().toList(),
                        "seed " + seed);
            }
        }
    }

    private static void add(Set<Integer> used, int first, int slots, long seed) {
        for (int slot = first; slot < first + slots; slot++) {
            assertTrue(used.add(slot), "seed " + seed);
        }
    }

    @Test
    void messagesAreCutIntoChunks() {
        TransferLanes lanes = new TransferLanes(List.of(0, 0), 2, 4, 128, 1);
        assertEquals(64, lanes.payloadBytes());
        assertEquals(1, lanes.chunks(0));
        assertEquals(1, lanes.chunks(64));
        assertEquals(2, lanes.chunks(65));
        assertEquals((1L << 40) / 64, lanes.chunks(1L << 40));
    }

    @Test
    void manyPeersHaveSmallInboxes() {
        for (TransferPreference preference : List.of(TransferPreference.HOST, TransferPreference.GPU)) {
            for (int ranks : new int[] {1, 2, 3, 8, 64, 500}) {
                TransferLanes lanes = preference.lanes(Collections.nCopies(ranks, 0));
                long inbox = (ranks - 1L) * lanes.lanes() * lanes.slots() * lanes.slotBytes();
                assertTrue(inbox <= preference.inboxBytes(), () -> preference + " with " + ranks + ": " + inbox);
                assertTrue(lanes.lanes() >= 1 && lanes.lanes() <= preference.lanes(), preference::toString);
                TransferLanes accesses =
                        preference.accesses(IntStream.range(0, ranks).boxed().toList());
                assertEquals(WindowLanes.COUNT, accesses.lanes());
                long gotten = (ranks - 1L) * accesses.lanes() * accesses.slots() * accesses.slotBytes();
                assertTrue(gotten <= preference.inboxBytes(), () -> preference + " with " + ranks + ": " + gotten);
            }
        }
    }

    @Test
    void accessesAreToldAndHaveARange() {
        TransferLanes lanes = TransferPreference.HOST.accesses(List.of(0, 1));
        assertEquals("put 8 bytes to rank 1 at offset 3", new RemoteAccess(lanes, true, 1, 4096, 8, 3, 5).toString());
        assertEquals(
                "get 8 bytes from rank 1 at offset 3 (2 bytes moved)",
                PendingTransfer.of(new RemoteAccess(lanes, false, 1, 4096, 8, 3, -1), 2)
                        .toString());
        assertThrows(InvalidArgumentException.class, () -> new RemoteAccess(lanes, true, 1, 4096, 0, 3, 5));
        assertThrows(InvalidArgumentException.class, () -> new RemoteAccess(lanes, true, 1, 4096, 8, -1, 5));
    }

    @Test
    void badSlotsAreRefused() {
        assertThrows(InvalidArgumentException.class, () -> new TransferLanes(List.of(0, 0), 0, 1, 128, 1));
        assertThrows(InvalidArgumentException.class, () -> new TransferLanes(List.of(0, 0), 1, 1, 64, 1));
        assertThrows(InvalidArgumentException.class, () -> new TransferLanes(List.of(0, 0), 1, 1, 100, 1));
    }
}
