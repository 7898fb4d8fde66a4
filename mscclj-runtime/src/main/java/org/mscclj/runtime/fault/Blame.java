package org.mscclj.runtime.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * Why a launch is late.
 *
 * @param ranks because of which it does not end, as far as is known
 * @param words what all ranks do about it
 */
public record Blame(List<Integer> ranks, String words) {
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(1);
    private static final int MOST_TOLD = 8;

    /** Copies the list. */
    public Blame {
        ranks = List.copyOf(ranks);
    }

    /** Of a launch that all ranks make. */
    static Blame of(Diagnosis diagnosis) {
        return new Blame(diagnosis.notArrived(), diagnosis.toString());
    }

    /**
     * Of messages: the ranks at their other ends, without those that wait for messages themselves; if none is left, those that do not answer, whatever they
     * have to do with it. Asks all ranks, and waits for their answers, a second at most.
     *
     * @param pending messages that have not moved
     */
    public static Blame ofMessages(ControlPlane control, FlightRecorder recorder, List<PendingTransfer> pending) {
        List<Integer> others = IntStream.range(0, control.size())
                .filter(rank -> rank != control.rank())
                .boxed()
                .toList();
        Map<Integer, LaunchReport> reports = control.reportsOf(others, Math.max(1, recorder.taken()), LONGEST_ANSWER);
        List<Integer> silent =
                others.stream().filter(rank -> !reports.containsKey(rank)).toList();
        List<Integer> peers =
                pending.stream().map(PendingTransfer::peer).distinct().sorted().toList();
        List<String> words = new ArrayList<>();
        words.add(couldNot(pending));
        others.forEach(rank -> {
            LaunchReport report = reports.get(rank);
            if (report == null) {
                words.add("rank " + rank + ": no answer");
            } else if (peers.contains(rank)) {
                words.add("rank " + rank + ": " + RankNames.doing(report));
            }
        });
        List<Integer> guilty = peers.stream()
                .filter(rank -> !waitsInMessages(reports.get(rank)))
                .toList();
        if (guilty.isEmpty()) {
            guilty = silent.isEmpty() ? peers : silent;
        }
        return new Blame(guilty, String.join("; ", words));
    }

    private static boolean waitsInMessages(@Nullable LaunchReport report) {
        return report != null && !report.messages().isEmpty();
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
