package org.mscclj.runtime.control;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * On which node each rank of a communicator is. Memory is mapped, and transports that need that are used, only between
 * ranks of one node.
 *
 * @param ofRanks a number for each rank, equal for ranks of the same node
 */
public record Nodes(List<Integer> ofRanks) {
    /** Copies the list. */
    public Nodes {
        ofRanks = List.copyOf(ofRanks);
    }

    /** All ranks on one node. */
    public static Nodes one(int ranks) {
        return blocks(ranks, Math.max(1, ranks));
    }

    /** Ranks in order, so many on each node. */
    public static Nodes blocks(int ranks, int ranksPerNode) {
        return new Nodes(
                IntStream.range(0, ranks).mapToObj(rank -> rank / ranksPerNode).toList());
    }

    /** Whether two ranks are on the same node. */
    public boolean share(int rank, int other) {
        return ofRanks.get(rank).equals(ofRanks.get(other));
    }

    /** Whether there is more than one node. */
    public boolean several() {
        return !ofRanks.isEmpty() && Collections.frequency(ofRanks, ofRanks.getFirst()) < ofRanks.size();
    }

    /** The nodes of some of the ranks, which are numbered anew. */
    public Nodes of(List<Integer> members) {
        return new Nodes(members.stream().map(ofRanks::get).toList());
    }

    /**
     * Ranks on each node, if these are equally many and in order: rank {@code r} on the node of all ranks {@code r /
     * count}. Else empty.
     */
    public Optional<Integer> equalBlocks() {
        int count = ranksPerNode();
        boolean equal = ofRanks.size() % count == 0
                && new HashSet<>(ofRanks).size() == ofRanks.size() / count
                && IntStream.range(0, ofRanks.size()).allMatch(rank -> share(rank, rank - rank % count));
        return equal ? Optional.of(count) : Optional.empty();
    }

    /** Ranks on each node; where nodes have different numbers, the greatest. */
    public int ranksPerNode() {
        return ofRanks.stream()
                .collect(Collectors.groupingBy(Function.identity(), Collectors.summingInt(node -> 1)))
                .values()
                .stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(1);
    }
}
