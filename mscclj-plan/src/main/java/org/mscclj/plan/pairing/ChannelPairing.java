package org.mscclj.plan.pairing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;

/**
 * Pairs the channels of different ranks: a signal on a channel raises the counter on which its partner waits.
 *
 * <p>The k-th channel of A to B is the partner of the k-th channel of B to A, for each channel type separately. If A
 * declares more channels to B than B to A, the surplus is paired with <em>anonymous</em> channels of B, at which
 * signals arrive without a wait.
 *
 * <p>The counters of a rank are its <em>slots</em>: one for each of its own channels, in the order of their ids, then
 * the anonymous ones, in the order of the ranks that declare their partners, and of the ids there. Every rank computes
 * the same pairing, in time linear in the number of channels.
 */
public final class ChannelPairing {
    /**
     * One end of a channel.
     *
     * @param rank rank that owns the end
     * @param slot slot on that rank: the channel's id, if the rank has declared it
     */
    public record Endpoint(int rank, int slot) {}

    private final Endpoint[][] partners;

    private ChannelPairing(Endpoint[][] partners) {
        this.partners = partners;
    }

    /**
     * Pairs the channels of a type.
     *
     * @param plan a valid plan
     * @param type {@link ChannelType#MEMORY} or {@link ChannelType#PORT}; for switch channels see {@link SwitchPairing}
     */
    public static ChannelPairing of(Plan plan, ChannelType type) {
        if (type == ChannelType.SWITCH) {
            throw InvalidArgumentException.of(
                    "channel type", type.label(), "memory, port; switch channels have groups");
        }
        List<List<Integer>> peers =
                plan.ranks().stream().map(rank -> rank.channelPeers(type)).toList();
        List<Map<Integer, List<Integer>>> channels =
                peers.stream().map(ChannelPairing::channelsByPeer).toList();
        int[] slots = slots(channels);
        Endpoint[][] partners = new Endpoint[peers.size()][];
        for (int rank = 0; rank < partners.length; rank++) {
            partners[rank] = new Endpoint[slots[rank]];
        }
        connect(peers, channels, partners);
        return new ChannelPairing(partners);
    }

    /** Number of counters of {@code rank}: its own channels and the anonymous ones. */
    public int slots(int rank) {
        return partners[rank].length;
    }

    /**
     * The other end of a channel.
     *
     * @param rank a rank
     * @param slot one of its slots; the id of a channel is its slot
     */
    public Endpoint partner(int rank, int slot) {
        return partners[rank][slot];
    }

    /** The ids of a rank's channels to each of its peers. */
    private static Map<Integer, List<Integer>> channelsByPeer(List<Integer> peers) {
        Map<Integer, List<Integer>> channels = new HashMap<>();
        for (int id = 0; id < peers.size(); id++) {
            channels.computeIfAbsent(peers.get(id), _ -> new ArrayList<>(1)).add(id);
        }
        return channels;
    }

    private static int[] slots(List<Map<Integer, List<Integer>>> channels) {
        int[] slots = new int[channels.size()];
        for (int rank = 0; rank < slots.length; rank++) {
            int from = rank;
            channels.get(rank).forEach((peer, ids) -> {
                slots[from] += ids.size();
                slots[peer] +=
                        Math.max(0, ids.size() - channels(peer, from, channels).size());
            });
        }
        return slots;
    }

    private static List<Integer> channels(int from, int to, List<Map<Integer, List<Integer>>> channels) {
        return channels.get(from).getOrDefault(to, List.of());
    }

    private static void connect(
            List<List<Integer>> peers, List<Map<Integer, List<Integer>>> channels, Endpoint[][] partners) {
        int[] nextAnonymous = peers.stream().mapToInt(List::size).toArray();
        for (int rank = 0; rank < peers.size(); rank++) {
            Map<Integer, Integer> position = new HashMap<>();
            List<Integer> ofRank = peers.get(rank);
            for (int id = 0; id < ofRank.size(); id++) {
                int peer = ofRank.get(id);
                int k = position.merge(peer, 1, Integer::sum) - 1;
                List<Integer> back = channels(peer, rank, channels);
                if (k < back.size()) {
                    partners[rank][id] = new Endpoint(peer, back.get(k));
                } else {
                    int slot = nextAnonymous[peer]++;
                    partners[rank][id] = new Endpoint(peer, slot);
                    partners[peer][slot] = new Endpoint(rank, id);
                }
            }
        }
    }
}
