package org.mscclj.runtime.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.Waits;
import org.mscclj.runtime.recorder.FlightRecorder;
import org.mscclj.runtime.recorder.LaunchPlace;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * The reason why a launch is late.
 *
 * @param ranks ranks because of which it does not end, as far as is known
 * @param description describes what all ranks do instead
 */
public record Blame(List<Integer> ranks, String description) {
    private static final int MAX_REPORTED = 8;

    /** Copies the list. */
    public Blame {
        ranks = List.copyOf(ranks);
    }

    /**
     * Finds the reason for the first launch in flight on this rank. Asks all ranks, and waits at most a second for
     * their answers.
     *
     * @param late place of the launch
     */
    public static Blame of(ControlPlane control, FlightRecorder recorder, LaunchPlace late) {
        if (late.messages()) {
            return recorder.pending(late)
                    .map(pending -> ofMessages(control, recorder, pending))
                    .orElseGet(() -> new Blame(
                            List.of(),
                            "which of its messages have moved is not known, since it was launched long"
                                    + " ago, or the recorder is off"));
        }
        Diagnosis diagnosis = Diagnosis.find(control, recorder, late.number());
        if (diagnosis.notArrived().isEmpty() && recorder.taken() > late.number()) {
            // a device may not report which of several replays has ended, and the late one is a later one
            Diagnosis ofLast = Diagnosis.find(control, recorder, recorder.taken());
            diagnosis = ofLast.idle().isEmpty() ? diagnosis : ofLast;
        }
        List<PendingTransfer> pending = recorder.pending(late).orElseGet(List::of);
        return pending.isEmpty()
                ? new Blame(diagnosis.notArrived(), diagnosis.toString())
                : new Blame(amongPeers(diagnosis.notArrived(), pending), couldNot(pending) + "; " + diagnosis);
    }

    /**
     * Returns the late ranks that are peers of pending transfers. In a collective that consists of point-to-point
     * transfers, a rank does not need all others.
     */
    private static List<Integer> amongPeers(List<Integer> late, List<PendingTransfer> pending) {
        List<Integer> peers = late.stream()
                .filter(rank -> pending.stream().anyMatch(message -> message.peer() == rank))
                .toList();
        return peers.isEmpty() ? late : peers;
    }

    /**
     * Finds the ranks because of which point-to-point transfers do not move. Asks all ranks, and waits at most a second
     * for their answers.
     *
     * @param pending transfers that have not moved
     */
    public static Blame ofMessages(ControlPlane control, FlightRecorder recorder, List<PendingTransfer> pending) {
        List<Integer> others = IntStream.range(0, control.size())
                .filter(rank -> rank != control.rank())
                .boxed()
                .toList();
        Map<Integer, LaunchReport> reports =
                control.reportsOf(others, Math.max(1, recorder.taken()), ControlPlane.MAX_ANSWER);
        List<Integer> peers =
                pending.stream().map(PendingTransfer::peer).distinct().sorted().toList();
        List<Integer> guilty = new Waits(others, reports).behind(peers);
        List<String> words = new ArrayList<>();
        words.add(couldNot(pending));
        others.forEach(rank -> {
            LaunchReport report = reports.get(rank);
            if (report == null) {
                words.add("rank " + rank + ": no answer");
            } else if (peers.contains(rank) || guilty.contains(rank)) {
                words.add("rank " + rank + ": " + report.doing());
            }
        });
        return new Blame(guilty, String.join("; ", words));
    }

    private static String couldNot(List<PendingTransfer> pending) {
        if (pending.isEmpty()) {
            return "none of its messages waits: they have moved, or their launch has not begun";
        }
        String first = pending.stream()
                .limit(MAX_REPORTED)
                .map(PendingTransfer::toString)
                .collect(Collectors.joining(", "));
        return "it could not " + first
                + (pending.size() > MAX_REPORTED ? ", and " + (pending.size() - MAX_REPORTED) + " messages more" : "");
    }
}
