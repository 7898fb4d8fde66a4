package org.mscclj.plan.pairing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.pairing.ChannelPairing.Endpoint;

class ChannelPairingTest {
    @Example
    void kthPairsWithKthAndSurplusWithAnonymousOnes() {
        // Rank 0 has two channels to rank 1, which has three back; and one to rank 2, which has none.
        ChannelPairing pairing = pairing(List.of(List.of(1, 2, 1), List.of(0, 2, 0, 0), List.of()));
        assertEquals(new Endpoint(1, 0), pairing.partner(0, 0));
        assertEquals(new Endpoint(2, 0), pairing.partner(0, 1));
        assertEquals(new Endpoint(1, 2), pairing.partner(0, 2));
        assertEquals(new Endpoint(0, 3), pairing.partner(1, 3));
        assertEquals(new Endpoint(2, 1), pairing.partner(1, 1));
        assertEquals(4, pairing.slots(0));
        assertEquals(4, pairing.slots(1));
        assertEquals(2, pairing.slots(2));
    }

    @Example
    void switchChannelsHaveNoPartners() {
        Plan plan = plan(List.of(List.of()));
        assertThrows(InvalidArgumentException.class, () -> ChannelPairing.of(plan, ChannelType.SWITCH));
    }

    @Property(tries = 300)
    void partnersArePartnersOfEachOther(@ForAll @IntRange(min = 1, max = 8) int world, @ForAll long seed) {
        List<List<Integer>> peers = randomPeers(world, new Random(seed));
        ChannelPairing pairing = pairing(peers);
        for (int rank = 0; rank < world; rank++) {
            for (int slot = 0; slot < pairing.slots(rank); slot++) {
                Endpoint partner = pairing.partner(rank, slot);
                assertNotEquals(rank, partner.rank());
                assertEquals(new Endpoint(rank, slot), pairing.partner(partner.rank(), partner.slot()));
            }
            for (int id = 0; id < peers.get(rank).size(); id++) {
                assertEquals(peers.get(rank).get(id), pairing.partner(rank, id).rank());
            }
        }
    }

    @Property(tries = 300)
    void declaredPartnersHaveTheSamePosition(@ForAll @IntRange(min = 2, max = 6) int world, @ForAll long seed) {
        List<List<Integer>> peers = randomPeers(world, new Random(seed));
        ChannelPairing pairing = pairing(peers);
        for (int rank = 0; rank < world; rank++) {
            for (int id = 0; id < peers.get(rank).size(); id++) {
                Endpoint partner = pairing.partner(rank, id);
                List<Integer> theirs = peers.get(partner.rank());
                if (partner.slot() < theirs.size()) {
                    assertEquals(position(peers.get(rank), id), position(theirs, partner.slot()));
                } else {
                    int self = rank;
                    long back = theirs.stream().filter(peer -> peer == self).count();
                    assertEquals(true, position(peers.get(rank), id) >= back);
                }
            }
        }
    }

    @Example
    void manyChannelsArePairedInLinearTime() {
        List<Integer> many = IntStream.range(0, 200_000).mapToObj(_ -> 1).toList();
        ChannelPairing pairing = pairing(List.of(many, List.of(0, 0)));
        assertEquals(200_000, pairing.slots(0));
        assertEquals(200_000, pairing.slots(1));
        assertEquals(new Endpoint(1, 199_999), pairing.partner(0, 199_999));
    }

    /** Number of earlier channels to the same peer. */
    private static long position(List<Integer> peers, int id) {
        return peers.subList(0, id).stream()
                .filter(peer -> peer.equals(peers.get(id)))
                .count();
    }

    private static List<List<Integer>> randomPeers(int world, Random random) {
        return IntStream.range(0, world)
                .mapToObj(rank -> random.ints(world == 1 ? 0 : random.nextInt(10), 0, world)
                        .filter(peer -> peer != rank)
                        .boxed()
                        .toList())
                .toList();
    }

    private static ChannelPairing pairing(List<List<Integer>> peers) {
        return ChannelPairing.of(plan(peers), ChannelType.MEMORY);
    }

    private static Plan plan(List<List<Integer>> peers) {
        List<RankPlan> ranks = IntStream.range(0, peers.size())
                .mapToObj(rank -> new RankPlan(
                        rank, 0, 0, 0, List.of(), peers.get(rank), List.of(), List.of(), List.of(), List.of()))
                .toList();
        return new Plan("pairing", Collective.TEST, Protocol.SIMPLE, false, false, 1024, false, 16, 0, -1, ranks);
    }
}
