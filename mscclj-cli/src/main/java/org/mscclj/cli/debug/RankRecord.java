package org.mscclj.cli.debug;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a dump says of a rank.
 *
 * @param communicator the communicator's name
 * @param id the communicator's own, which no other has
 * @param rank which rank
 * @param worldRanks the communicator's ranks, as ranks of the communicator that was opened
 * @param pid the rank's process
 * @param host the name of the host on which that runs; empty if it is not known
 * @param time when the dump was made
 * @param launches how many it has made
 * @param completed how many of them have ended as they should
 * @param words what the launches were that are still known, by their number
 * @param messages what the messages are that it waits for before it does anything else; empty if it waits for none
 * @param controlCall in what it waits for others, while it sets something up; empty if there is none
 * @param entries the launches that are still known, those of messages too, in the order in which it has made them
 */
record RankRecord(
        String communicator,
        String id,
        int rank,
        List<Integer> worldRanks,
        long pid,
        String host,
        Instant time,
        long launches,
        long completed,
        Map<Long, String> words,
        String messages,
        String controlCall,
        List<LaunchRecord> entries) {
    RankRecord {
        worldRanks = List.copyOf(worldRanks);
        words = Map.copyOf(words);
        entries = List.copyOf(entries);
    }

    /** The id of the communicator that was opened, of which this one may be a child. */
    String job() {
        int end = id.indexOf('/');
        return end < 0 ? id : id.substring(0, end);
    }

    /** What a launch was; empty if that is not known. */
    String wordsOf(long sequence) {
        return words.getOrDefault(sequence, "");
    }
}
