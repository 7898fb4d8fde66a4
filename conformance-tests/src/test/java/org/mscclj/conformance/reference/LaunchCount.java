package org.mscclj.conformance.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/** What each rank has launched of a communicator's. */
final class LaunchCount {
    private static final Map<Meeting, LaunchCount> COUNTS = new WeakHashMap<>();

    private final List<List<String>> made = new ArrayList<>();

    private LaunchCount() {}

    static LaunchCount of(Meeting meeting) {
        synchronized (COUNTS) {
            return COUNTS.computeIfAbsent(meeting, m -> new LaunchCount());
        }
    }

    /** A rank launches; returns how many it has launched. */
    synchronized int made(int rank, int size, String words) {
        while (made.size() < size) {
            made.add(new ArrayList<>());
        }
        made.get(rank).add(words);
        return made.get(rank).size();
    }

    /** The ranks that have made fewer than the given one. */
    synchronized List<Integer> behind(int rank) {
        List<Integer> ranks = new ArrayList<>();
        for (int i = 0; i < made.size(); i++) {
            if (made.get(i).size() < made.get(rank).size()) {
                ranks.add(i);
            }
        }
        return ranks;
    }

    /** What all ranks have launched in a place, from 1. */
    synchronized String words(int number) {
        StringBuilder text = new StringBuilder();
        for (int rank = 0; rank < made.size(); rank++) {
            List<String> of = made.get(rank);
            text.append("rank ")
                    .append(rank)
                    .append(of.size() < number ? " has not called" : " called" + of.get(number - 1))
                    .append("; ");
        }
        return text.toString();
    }
}
