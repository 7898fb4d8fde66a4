package org.mscclj.runtime.dump;

import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * The identity of the communicator of a dump. A name is not enough: children of one split may have equal names, and so
 * may communicators of different jobs.
 *
 * @param name the communicator's name
 * @param id unique to the communicator; equal on all its ranks
 * @param worldRanks the communicator's ranks, in its order, as ranks of the communicator that was opened
 */
public record CommunicatorIdentity(String name, String id, List<Integer> worldRanks) {
    /** Copies the list. */
    public CommunicatorIdentity {
        worldRanks = List.copyOf(worldRanks);
    }

    /** Draws a number that distinguishes a job from all others; one rank draws it for all. */
    public static long drawJob() {
        return ThreadLocalRandom.current().nextLong();
    }

    /** Returns the identity of the communicator that a job opens. */
    public static CommunicatorIdentity ofJob(long job, String name, int size) {
        return new CommunicatorIdentity(
                name,
                HexFormat.of().toHexDigits(job),
                IntStream.range(0, size).boxed().toList());
    }

    /**
     * Returns the identity of a communicator of some of the ranks.
     *
     * @param number distinguishes the child from other children of this communicator; equal on all members
     * @param members the child's ranks, as ranks of this communicator
     */
    public CommunicatorIdentity child(String childName, String number, List<Integer> members) {
        return new CommunicatorIdentity(
                childName,
                id + "/" + number,
                members.stream().map(worldRanks::get).toList());
    }
}
