package org.mscclj.language;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.language.pass.BlockStep;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;

/** The recording of one rank. Ids count from 0 in the order in which items are added. */
final class RankRecord {
    private record Peer(int rank, BufferType buffer) {}

    private record Way(int peer, ChannelType type) {}

    private final int rank;
    private final ProgramCollective collective;
    private final List<Integer> memoryPeers = new ArrayList<>();
    private final List<Integer> portPeers = new ArrayList<>();
    private final Map<Way, Integer> channels = new HashMap<>();
    private final List<SwitchGroup> groups = new ArrayList<>();
    private final List<Integer> semaphores = new ArrayList<>();
    private final Map<Peer, Set<ChannelType>> remoteBuffers = new LinkedHashMap<>();
    private final Map<Peer, Integer> remoteIds = new HashMap<>();
    private final Map<Set<Integer>, Integer> barriers = new HashMap<>();
    private final List<List<BlockStep>> blocks = new ArrayList<>();
    private int scratchChunks;

    RankRecord(int rank, ProgramCollective collective) {
        this.rank = rank;
        this.collective = collective;
    }

    int addScratch(int chunks) {
        int offset = scratchChunks;
        scratchChunks = Math.addExact(scratchChunks, chunks);
        return offset;
    }

    /** Number of channels of a type, memory or port, to a peer. */
    int channels(ChannelType type, int peer) {
        return channels.getOrDefault(new Way(peer, type), 0);
    }

    /** Adds a channel of a type, memory or port, and returns its id. */
    int addChannel(ChannelType type, int peer) {
        List<Integer> peers = type == ChannelType.PORT ? portPeers : memoryPeers;
        peers.add(peer);
        channels.merge(new Way(peer, type), 1, Integer::sum);
        return peers.size() - 1;
    }

    int addSwitchChannel(SwitchGroup group) {
        groups.add(group);
        return groups.size() - 1;
    }

    int addSemaphore(int initialValue) {
        semaphores.add(initialValue);
        return semaphores.size() - 1;
    }

    int remoteBuffer(int peer, BufferType buffer, ChannelType type) {
        Peer key = new Peer(peer, buffer);
        remoteBuffers.computeIfAbsent(key, _ -> new TreeSet<>()).add(type);
        return remoteIds.computeIfAbsent(key, _ -> remoteIds.size());
    }

    /** The barrier of a set of blocks, in any order. */
    int barrier(Collection<Integer> members) {
        return barriers.computeIfAbsent(Set.copyOf(members), _ -> barriers.size());
    }

    int chunks(BufferType buffer) {
        return switch (buffer) {
            case INPUT -> collective.inputChunks();
            case OUTPUT -> collective.outputChunks();
            case SCRATCH -> scratchChunks;
        };
    }

    List<BlockStep> block(int id) {
        while (blocks.size() <= id) {
            blocks.add(new ArrayList<>());
        }
        return blocks.get(id);
    }

    List<List<BlockStep>> steps() {
        return blocks.stream().map(List::copyOf).toList();
    }

    RankPlan declarations() {
        return new RankPlan(
                rank,
                collective.inputChunks(),
                collective.outputChunks(),
                scratchChunks,
                List.of(),
                memoryPeers,
                portPeers,
                groups,
                remoteBuffers.entrySet().stream()
                        .map(entry -> new RemoteBuffer(
                                entry.getKey().rank, entry.getKey().buffer, List.copyOf(entry.getValue())))
                        .toList(),
                semaphores);
    }
}
