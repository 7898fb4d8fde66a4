package org.mscclj.runtime.control;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The contributions to one collective call, by rank. Used under the monitor of the inbox until all have arrived. They
 * are in an array, because among ranks of one process each of n ranks makes n contributions.
 */
final class Round {
    private static final int FIRST_CAPACITY = 8;

    private @Nullable Contribution[] contributions = new Contribution[FIRST_CAPACITY];
    private int come;

    /**
     * The number of contributions that this rank waits for; 0 while it does not wait. Only the last contribution wakes
     * the rank: with many ranks, waking it for each would be most of the work.
     */
    private int wanted;

    private static final class Contribution {
        private final Topic topic;
        private final byte[] bytes;

        Contribution(Topic topic, byte[] bytes) {
            this.topic = topic;
            this.bytes = bytes;
        }
    }

    /** Keeps the contribution of a rank, in place of an earlier one. */
    void contribute(int from, Topic topic, byte[] bytes) {
        if (from >= contributions.length) {
            contributions = Arrays.copyOf(contributions, Math.max(from + 1, 2 * contributions.length));
        }
        if (contributions[from] == null) {
            come++;
        }
        contributions[from] = new Contribution(topic, bytes);
    }

    /** Removes the contribution of a rank. */
    void withdraw(int from) {
        if (hasCome(from)) {
            contributions[from] = null;
            come--;
        }
    }

    boolean hasCome(int rank) {
        return rank < contributions.length && contributions[rank] != null;
    }

    /** Marks that the rank of this inbox begins to wait for the contributions of all ranks of a group. */
    void await(int size) {
        wanted = size;
    }

    /** Returns whether the rank of this inbox waits, and all contributions have arrived. */
    boolean isAwaitedAndWhole() {
        return wanted > 0 && isWhole(wanted);
    }

    boolean isWhole(int size) {
        return come >= size;
    }

    /** Returns the ranks whose contributions have not arrived. */
    List<Integer> missing(int size) {
        return IntStream.range(0, size).filter(rank -> !hasCome(rank)).boxed().toList();
    }

    /**
     * Returns the contributions, by rank. Its arrays are those that ranks have passed, not copies.
     *
     * @throws InvalidArgumentException if ranks have made different calls
     */
    byte[][] gathered() {
        List<Topic> topics = new ArrayList<>(come);
        byte[][] all = new byte[come][];
        for (int rank = 0; rank < come; rank++) {
            Contribution one = Objects.requireNonNull(contributions[rank]);
            topics.add(one.topic);
            all[rank] = one.bytes;
        }
        Differences.among(topics, Topic::toString).ifPresent(differences -> {
            throw new InvalidArgumentException("ranks make different collective calls; " + differences
                    + "; all ranks must make the same calls in the same order");
        });
        return all;
    }
}
