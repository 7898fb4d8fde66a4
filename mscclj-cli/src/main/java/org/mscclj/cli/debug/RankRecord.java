package org.mscclj.cli.debug;

import java.util.Map;

/**
 * What a dump says of a rank.
 *
 * @param communicator the communicator's name
 * @param rank which rank
 * @param size number of ranks
 * @param launches how many it has made
 * @param completed how many of them have ended as they should
 * @param words what the launches were that are still known, by their number
 * @param messages what the messages are that it waits for before it does anything else; empty if it waits for none
 */
record RankRecord(
        String communicator,
        int rank,
        int size,
        long launches,
        long completed,
        Map<Long, String> words,
        String messages) {
    RankRecord {
        words = Map.copyOf(words);
    }

    /** What a launch was; empty if that is not known. */
    String wordsOf(long sequence) {
        return words.getOrDefault(sequence, "");
    }
}
