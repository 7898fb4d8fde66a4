package org.mscclj.analysis.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.mscclj.plan.layout.RoundLayout;

/** The packets that this launch has written into a rank's scratch, as ranges of padded bytes. */
final class PacketArea {
    private record Written(long end, int span) {}

    /** Disjoint ranges by their starts. */
    private final NavigableMap<Long, Written> written = new TreeMap<>();

    private final List<PacketWait> waiters = new ArrayList<>();

    /** Whether packets of all ranges have arrived; otherwise the wait is notified on their arrival. */
    boolean await(PacketWait wait) {
        for (RoundLayout.Range range : wait.ranges()) {
            wait.miss(range.length() - covered(range.start(), range.end()));
        }
        if (wait.isOver()) {
            return true;
        }
        waiters.add(wait);
        return false;
    }

    private long covered(long start, long end) {
        long sum = 0;
        for (Map.Entry<Long, Written> entry : overlapping(start, end).entrySet()) {
            sum += Math.min(end, entry.getValue().end()) - Math.max(start, entry.getKey());
        }
        return sum;
    }

    private NavigableMap<Long, Written> overlapping(long start, long end) {
        Map.Entry<Long, Written> before = written.floorEntry(start);
        long from = before != null && before.getValue().end() > start ? before.getKey() : start;
        return start >= end ? new TreeMap<>() : written.subMap(from, true, end, false);
    }

    /** The spans that wrote the packets of a range. */
    List<Integer> writers(RoundLayout.Range range) {
        return overlapping(range.start(), range.end()).values().stream()
                .map(Written::span)
                .distinct()
                .toList();
    }

    /** Delivers packets. Packets that have arrived before stay unchanged. */
    void arrive(long start, long length, int span) {
        List<RoundLayout.Range> gaps = new ArrayList<>();
        long from = start;
        long end = start + length;
        for (Map.Entry<Long, Written> entry : overlapping(start, end).entrySet()) {
            if (entry.getKey() > from) {
                gaps.add(new RoundLayout.Range(from, entry.getKey() - from));
            }
            from = Math.max(from, entry.getValue().end());
        }
        if (from < end) {
            gaps.add(new RoundLayout.Range(from, end - from));
        }
        for (RoundLayout.Range gap : gaps) {
            written.put(gap.start(), new Written(gap.end(), span));
            notifyWaiters(gap);
        }
        List<PacketWait> satisfied = waiters.stream().filter(PacketWait::isOver).toList();
        waiters.removeAll(satisfied);
        satisfied.forEach(wait -> wait.notifyArrival(span));
    }

    private void notifyWaiters(RoundLayout.Range gap) {
        for (PacketWait wait : waiters) {
            for (RoundLayout.Range range : wait.ranges()) {
                wait.miss(-Math.max(0, Math.min(range.end(), gap.end()) - Math.max(range.start(), gap.start())));
            }
        }
    }
}
