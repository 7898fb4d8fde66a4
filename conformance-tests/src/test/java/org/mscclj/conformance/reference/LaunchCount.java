package org.mscclj.conformance.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/** How many launches each rank has made of a communicator's. */
final class LaunchCount {
    private static final Map<Meeting, LaunchCount> COUNTS = new WeakHashMap<>();

    private long[] made = new long[0];

    private LaunchCount() {}

    static LaunchCount of(Meeting meeting) {
        synchronized (COUNTS) {
            return COUNTS.computeIfAbsent(meeting, m -> new LaunchCount());
        }
    }

    synchronized void made(int rank, int size) {
        if (made.length == 0) {
            made = new long[size];
        }
        made[rank]++;
    }

    /** The ranks that have made fewer than the given one. */
    synchronized List<Integer> behind(int rank) {
        List<Integer> ranks = new ArrayList<>();
        for (int i = 0; i < made.length; i++) {
            if (made[i] < made[rank]) {
                ranks.add(i);
            }
        }
        return ranks;
    }
}
