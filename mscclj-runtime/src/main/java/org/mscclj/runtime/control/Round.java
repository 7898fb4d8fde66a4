package org.mscclj.runtime.control;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The contributions to one collective call, by rank. Used under the monitor of the inbox until all have come. Arrays,
 * since among ranks of one process each of n ranks makes n contributions.
 */
final class Round {
    private static final int FIRST_CAPACITY = 8;

    private @Nullable Contribution[] contributions = new Contribution[FIRST_CAPACITY];
    private int come;

    /**
     * How many contributions this rank waits for; 0 while it does not wait. Only the last of them wakes the rank: with
     * many ranks, waking it each time would be most of the work.
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

    /** Keeps what a rank contributes, in place of what it has contributed before. */
    void contribute(int from, Topic topic, byte[] bytes) {
        if (from >= contributions.length) {
            contributions = Arrays.copyOf(contributions, Math.max(from + 1, 2 * contributions.length));
        }
        if (contributions[from] == null) {
            come++;
        }
        contributions[from] = new Contribution(topic, bytes);
    }

    /** A rank takes its contribution back. */
    void withdraw(int from) {
        if (hasCome(from)) {
            contributions[from] = null;
            come--;
        }
    }

    boolean hasCome(int rank) {
        return rank < contributions.length && contributions[rank] != null;
    }

    /** The rank of this inbox begins to wait for the contributions of all ranks of a group. */
    void await(int size) {
        wanted = size;
    }

    /** Whether the rank of this inbox waits, and all contributions have come. */
    boolean isAwaitedAndWhole() {
        return wanted > 0 && isWhole(wanted);
    }

    boolean isWhole(int size) {
        return come >= size;
    }

    /** The ranks that have not come. */
    List<Integer> missing(int size) {
        return IntStream.range(0, size).filter(rank -> !hasCome(rank)).boxed().toList();
    }

    /**
     * The contributions, by rank. The arrays in it are those that ranks have handed over, not copies.
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
