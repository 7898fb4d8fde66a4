package org.mscclj.cli.debug;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A rank in a dump.
 *
 * @param communicator the communicator's name
 * @param id the communicator's unique id
 * @param rank the rank
 * @param worldRanks the communicator's ranks, as ranks of the communicator from which it was split
 * @param pid the rank's process id
 * @param host the name of its host; empty if it is unknown
 * @param time time of the dump
 * @param launches number of launches
 * @param completed number of launches that have completed
 * @param descriptions descriptions of the recorded launches, by number
 * @param messages descriptions of the point-to-point operations for which it waits before it continues; empty if there
 *     are none
 * @param controlCall the set-up call in which it waits for other ranks; empty if there is none
 * @param entries the recorded launches, with those of point-to-point operations, in order
 */
record RecordedRank(
        String communicator,
        String id,
        int rank,
        List<Integer> worldRanks,
        long pid,
        String host,
        Instant time,
        long launches,
        long completed,
        Map<Long, String> descriptions,
        String messages,
        String controlCall,
        List<LaunchRecord> entries) {
    RecordedRank {
        worldRanks = List.copyOf(worldRanks);
        descriptions = Map.copyOf(descriptions);
        entries = List.copyOf(entries);
    }

    /** Returns the id of the root communicator, from which this one may have been split. */
    String job() {
        int end = id.indexOf('/');
        return end < 0 ? id : id.substring(0, end);
    }

    /** Returns the description of a launch; empty if it is not recorded. */
    String wordsOf(long sequence) {
        return descriptions.getOrDefault(sequence, "");
    }
}
