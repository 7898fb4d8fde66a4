package org.mscclj.runtime.control;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The node of each rank of a communicator. Memory is mapped, and transports that need mapped memory are used, only
 * between ranks of one node.
 *
 * @param ofRanks a number for each rank; ranks of one node have equal numbers
 */
public record Nodes(List<Integer> ofRanks) {
    /** Copies the list. */
    public Nodes {
        ofRanks = List.copyOf(ofRanks);
    }

    /** Returns nodes with all ranks on one node. */
    public static Nodes one(int ranks) {
        return blocks(ranks, Math.max(1, ranks));
    }

    /** Returns nodes with ranks in order, {@code ranksPerNode} on each node. */
    public static Nodes blocks(int ranks, int ranksPerNode) {
        return new Nodes(
                IntStream.range(0, ranks).mapToObj(rank -> rank / ranksPerNode).toList());
    }

    /** Returns whether two ranks are on one node. */
    public boolean share(int rank, int other) {
        return ofRanks.get(rank).equals(ofRanks.get(other));
    }

    /** Returns whether there is more than one node. */
    public boolean several() {
        return !ofRanks.isEmpty() && Collections.frequency(ofRanks, ofRanks.getFirst()) < ofRanks.size();
    }

    /** Returns the nodes of some of the ranks, which are renumbered. */
    public Nodes of(List<Integer> members) {
        return new Nodes(members.stream().map(ofRanks::get).toList());
    }

    /**
     * Returns the number of ranks on each node, if all nodes have equally many ranks, in order: rank {@code r} on the
     * node of all ranks {@code r / count}. Otherwise empty.
     */
    public Optional<Integer> equalBlocks() {
        int count = ranksPerNode();
        boolean equal = ofRanks.size() % count == 0
                && new HashSet<>(ofRanks).size() == ofRanks.size() / count
                && IntStream.range(0, ofRanks.size()).allMatch(rank -> share(rank, rank - rank % count));
        return equal ? Optional.of(count) : Optional.empty();
    }

    /** Returns the number of ranks on each node; if nodes have different numbers, the greatest. */
    public int ranksPerNode() {
        if (!several()) {
            return Math.max(1, ofRanks.size());
        }
        return ofRanks.stream()
                .collect(Collectors.groupingBy(Function.identity(), Collectors.summingInt(node -> 1)))
                .values()
                .stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(1);
    }
}
