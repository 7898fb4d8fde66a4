package org.mscclj.runtime.fault;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.recorder.FlightRecorder;

/**
 * Reports of all ranks about a launch that has not ended on this rank.
 *
 * @param sequence the launch
 * @param size number of ranks
 * @param reports reports of the ranks that answer, this rank included, by rank
 */
public record Diagnosis(long sequence, int size, Map<Integer, LaunchReport> reports) {
    /** Copies the reports. */
    public Diagnosis {
        reports = Map.copyOf(reports);
    }

    /**
     * Asks all ranks about the launch that holds this rank up: the first that has not ended. Waits at most a second for
     * their answers.
     */
    public static Diagnosis find(ControlPlane control, FlightRecorder recorder) {
        return find(control, recorder, Math.min(recorder.taken(), recorder.ended() + 1));
    }

    /** Asks all ranks about a launch. Waits at most a second for their answers. */
    static Diagnosis find(ControlPlane control, FlightRecorder recorder, long sequence) {
        List<Integer> peers = IntStream.range(0, control.size())
                .filter(rank -> rank != control.rank())
                .boxed()
                .toList();
        Map<Integer, LaunchReport> reports = new TreeMap<>(control.reportsOf(peers, sequence, ControlPlane.MAX_ANSWER));
        reports.put(control.rank(), new RecordedReports(recorder).report(sequence));
        return new Diagnosis(sequence, control.size(), reports);
    }

    /** Returns the ranks that report that they have not made the launch. */
    public List<Integer> missing() {
        return ranks().stream()
                .filter(rank -> reports.containsKey(rank) && report(rank).launches() < sequence)
                .toList();
    }

    /** Returns the ranks that do not answer. */
    public List<Integer> silent() {
        return ranks().stream().filter(rank -> !reports.containsKey(rank)).toList();
    }

    /**
     * Returns the ranks because of which the launch does not end, as far as is known. These are the ranks that have
     * called something else, and the ranks that have not called this launch although they have completed all their
     * calls and wait for no point-to-point transfer. If there are none, these are the ranks that do not answer; and if
     * all answer, the ranks that are behind because they wait themselves.
     */
    public List<Integer> notArrived() {
        List<Integer> guilty = new ArrayList<>(idle());
        rightCallFirst().stream().skip(1).forEach(call -> guilty.addAll(call.getValue()));
        if (!guilty.isEmpty()) {
            return guilty.stream().sorted().toList();
        }
        return silent().isEmpty() ? missing() : silent();
    }

    /** Returns the ranks that have not made the launch, and wait for nothing. */
    List<Integer> idle() {
        return missing().stream().filter(rank -> !waitsItself(rank)).toList();
    }

    /**
     * Returns, of ranks that have not begun a launch, the ranks because of which it does not end: the ranks that do not
     * wait themselves; if all wait, the ranks that do not answer.
     */
    public List<Integer> blamed(List<Integer> notBegun) {
        List<Integer> guilty =
                notBegun.stream().filter(rank -> !waitsItself(rank)).toList();
        if (!guilty.isEmpty()) {
            return guilty;
        }
        return silent().isEmpty() ? notBegun : silent();
    }

    /**
     * Returns whether a rank waits itself. It waits for a launch that it has made before this one, for point-to-point
     * transfers, or in a set-up call for ranks that have not made this launch either. A rank that waits in a set-up
     * call for a rank that has made the launch has called something else.
     */
    private boolean waitsItself(int rank) {
        LaunchReport report = report(rank);
        long before = Math.min(report.launches(), sequence - 1);
        return reports.containsKey(rank)
                && (report.completed() < before
                        || !report.messages().isEmpty()
                        || (!report.callAwaits().isEmpty()
                                && report.callAwaits().stream().allMatch(this::isNotKnownToHaveCalled)));
    }

    private boolean isNotKnownToHaveCalled(int rank) {
        return report(rank).launches() < sequence;
    }

    private List<Integer> ranks() {
        return IntStream.range(0, size).boxed().toList();
    }

    private LaunchReport report(int rank) {
        return reports.getOrDefault(rank, LaunchReport.of(0));
    }

    /** Describes what each rank does. */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>(calls());
        missing()
                .forEach(rank ->
                        words.add("rank " + rank + ": " + report(rank).doing() + ", has not called #" + sequence));
        ranks().stream()
                .filter(rank -> report(rank).launches() >= sequence
                        && !report(rank).messages().isEmpty())
                .forEach(rank -> words.add(
                        "rank " + rank + " waits in messages (" + report(rank).messages() + ") first"));
        if (!silent().isEmpty()) {
            words.add(RankNames.of(silent()) + ": no answer");
        }
        return String.join("; ", words);
    }

    private List<String> calls() {
        List<Map.Entry<String, List<Integer>>> calls = rightCallFirst();
        if (calls.isEmpty()) {
            return List.of();
        }
        String rightRanks = RankNames.of(calls.getFirst().getValue());
        String right = calls.getFirst().getKey();
        if (calls.size() == 1) {
            return List.of(rightRanks + " called #" + sequence + ", " + right);
        }
        return calls.stream()
                .skip(1)
                .map(call -> RankNames.of(call.getValue()) + " called " + call.getKey() + " as #" + sequence
                        + ", where " + rightRanks + " called " + right)
                .toList();
    }

    /**
     * Returns the calls of the ranks that have made the launch. The call of most ranks counts as the right one and
     * comes first; of several such calls, the call of the lowest rank.
     */
    private List<Map.Entry<String, List<Integer>>> rightCallFirst() {
        Map<Long, List<Integer>> ranksByCall = new LinkedHashMap<>();
        for (int rank : ranks()) {
            if (report(rank).launches() >= sequence && report(rank).signature() != 0) {
                ranksByCall
                        .computeIfAbsent(report(rank).signature(), _ -> new ArrayList<>())
                        .add(rank);
            }
        }
        return ranksByCall.entrySet().stream()
                .sorted(Comparator.comparingInt(call -> -call.getValue().size())) // stable
                .map(call -> Map.entry(report(call.getValue().getFirst()).called(), call.getValue()))
                .toList();
    }
}
