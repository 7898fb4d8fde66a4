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
 * are in arrays, because among ranks of one process each of n ranks makes n contributions.
 */
final class Contributions {
    private static final int FIRST_CAPACITY = 8;

    private @Nullable Topic[] topics = new Topic[FIRST_CAPACITY];
    private @Nullable Message[] messages = new Message[FIRST_CAPACITY];
    private int come;

    /**
     * The number of contributions that this rank waits for; 0 while it does not wait. Only the last contribution wakes
     * the rank: with many ranks, waking it for each would be most of the work.
     */
    private int wanted;

    /** Keeps the contribution of a rank, in place of an earlier one. */
    void contribute(int from, Topic topic, Message message) {
        if (from >= messages.length) {
            int capacity = Math.max(from + 1, 2 * messages.length);
            topics = Arrays.copyOf(topics, capacity);
            messages = Arrays.copyOf(messages, capacity);
        }
        if (messages[from] == null) {
            come++;
        }
        topics[from] = topic;
        messages[from] = message;
    }

    /** Removes the contribution of a rank. */
    void withdraw(int from) {
        if (hasCome(from)) {
            topics[from] = null;
            messages[from] = null;
            come--;
        }
    }

    boolean hasCome(int rank) {
        return rank < messages.length && messages[rank] != null;
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
     * Returns the contributions, by rank.
     *
     * @throws InvalidArgumentException if ranks have made different calls
     */
    List<Message> gathered() {
        List<Topic> calls = new ArrayList<>(come);
        List<Message> all = new ArrayList<>(come);
        for (int rank = 0; rank < come; rank++) {
            calls.add(Objects.requireNonNull(topics[rank]));
            all.add(Objects.requireNonNull(messages[rank]));
        }
        Differences.among(calls, Topic::toString).ifPresent(differences -> {
            throw new InvalidArgumentException("ranks make different collective calls; " + differences
                    + "; all ranks must make the same calls in the same order");
        });
        return all;
    }
}
