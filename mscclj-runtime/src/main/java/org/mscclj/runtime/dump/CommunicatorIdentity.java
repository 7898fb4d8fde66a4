package org.mscclj.runtime.dump;

import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Which communicator a dump is of. Names do not say it: children of one split may have one name, and so have the
 * communicators of different jobs.
 *
 * @param name the communicator's name
 * @param id no two communicators have the same; equal on all ranks of one
 * @param worldRanks its ranks, in its order, as ranks of the communicator that was opened
 */
public record CommunicatorIdentity(String name, String id, List<Integer> worldRanks) {
    /** A copy of the list is kept. */
    public CommunicatorIdentity {
        worldRanks = List.copyOf(worldRanks);
    }

    /** What tells a job from all others; one rank draws it for all. */
    public static long drawJob() {
        return ThreadLocalRandom.current().nextLong();
    }

    /** The communicator that a job opens. */
    public static CommunicatorIdentity ofJob(long job, String name, int size) {
        return new CommunicatorIdentity(
                name,
                HexFormat.of().toHexDigits(job),
                IntStream.range(0, size).boxed().toList());
    }

    /**
     * A communicator of some of the ranks.
     *
     * @param number tells it from other children of this communicator; equal on all members
     * @param members its ranks, as ranks of this communicator
     */
    public CommunicatorIdentity child(String childName, String number, List<Integer> members) {
        return new CommunicatorIdentity(
                childName,
                id + "/" + number,
                members.stream().map(worldRanks::get).toList());
    }
}
