package org.mscclj.runtime.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.LaunchPlace;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * Why a launch is late.
 *
 * @param ranks because of which it does not end, as far as is known
 * @param words what all ranks do about it
 */
record Blame(List<Integer> ranks, String words) {
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(1);
    private static final int MOST_TOLD = 8;

    Blame {
        ranks = List.copyOf(ranks);
    }

    /** Of a launch that all ranks make. */
    static Blame of(Diagnosis diagnosis) {
        return new Blame(diagnosis.notArrived(), diagnosis.toString());
    }

    /**
     * Of messages: the ranks at their other ends, without those that wait for messages themselves, if any are left then. Waits for their answers, a
     * second at most.
     */
    static Blame ofMessages(ControlPlane control, FlightRecorder recorder, LaunchPlace late) {
        List<PendingTransfer> pending = recorder.pending(late);
        List<Integer> peers =
                pending.stream().map(PendingTransfer::peer).distinct().sorted().toList();
        Map<Integer, LaunchReport> reports =
                new TreeMap<>(control.reportsOf(peers, Math.max(1, recorder.taken()), LONGEST_ANSWER));
        List<String> words = new ArrayList<>();
        words.add(couldNot(pending));
        peers.forEach(peer -> words.add("rank " + peer + ": "
                + (reports.containsKey(peer) ? RankNames.doing(reports.get(peer)) : "no answer")));
        List<Integer> idle = peers.stream()
                .filter(peer -> !reports.containsKey(peer)
                        || reports.get(peer).messages().isEmpty())
                .toList();
        return new Blame(idle.isEmpty() ? peers : idle, String.join("; ", words));
    }

    private static String couldNot(List<PendingTransfer> pending) {
        if (pending.isEmpty()) {
            return "all of its messages have moved meanwhile";
        }
        String first =
                pending.stream().limit(MOST_TOLD).map(PendingTransfer::toString).collect(Collectors.joining(", "));
        return "it could not " + first
                + (pending.size() > MOST_TOLD ? ", and " + (pending.size() - MOST_TOLD) + " messages more" : "");
    }
}
