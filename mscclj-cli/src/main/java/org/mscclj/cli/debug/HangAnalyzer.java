package org.mscclj.cli.debug;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Analyses the dumps of a communicator's ranks, and describes in one sentence which ranks keep the others waiting. */
final class HangAnalyzer {
    private final List<RecordedRank> ranks;
    private final long sequence;

    private HangAnalyzer(List<RecordedRank> ranks) {
        this.ranks = ranks;
        this.sequence =
                1 + ranks.stream().mapToLong(RecordedRank::completed).min().orElse(0);
    }

    /**
     * Returns the description. It is about the first launch that some rank has not completed. Of several dumps of one
     * rank the last counts.
     *
     * @param dumped dumps of one communicator
     */
    static String among(List<RecordedRank> dumped) {
        return new HangAnalyzer(RankRecords.latest(dumped).stream()
                        .sorted(Comparator.comparingInt(RecordedRank::rank))
                        .toList())
                .sentence();
    }

    /**
     * Describes numbered launches first, then the ranks that wait in point-to-point operations, which have no number.
     */
    private String sentence() {
        List<String> inMessages = ranks.stream()
                .filter(record -> !record.messages().isEmpty())
                .map(record -> named(List.of(record.rank())) + " waits in messages: " + record.messages())
                .toList();
        List<Integer> behind = ranksWith(record -> record.launches() < sequence);
        boolean inFlight = behind.size() < ranks.size();
        List<String> waiting = Stream.concat(
                        inMessages.stream(),
                        inFlight ? controlCalls(behind, "") : controlCalls(ranksWith(_ -> true), whoHasNotCome()))
                .toList();
        if (waiting.isEmpty() || inFlight) {
            return Stream.concat(Stream.of(ofLaunches()), waiting.stream()).collect(Collectors.joining("; "));
        }
        return String.join("; ", waiting); // nothing else is in flight
    }

    /** Describes what some ranks set up while they wait for others. */
    private Stream<String> controlCalls(List<Integer> some, String missing) {
        Map<String, List<Integer>> calls = new LinkedHashMap<>();
        for (RecordedRank record : ranks) {
            if (!record.controlCall().isEmpty() && some.contains(record.rank())) {
                calls.computeIfAbsent(record.controlCall(), _ -> new ArrayList<>())
                        .add(record.rank());
            }
        }
        return calls.entrySet().stream()
                .map(call -> names(call.getValue()) + verb(call.getValue()) + " for others in \"" + call.getKey() + '"'
                        + missing);
    }

    /** Describes the ranks that have not joined what others set up. */
    private String whoHasNotCome() {
        List<Integer> elsewhere = ranksWith(record -> record.controlCall().isEmpty());
        return elsewhere.isEmpty() ? "" : ", to which " + named(elsewhere) + has(elsewhere) + " not come";
    }

    private String ofLaunches() {
        Map<String, List<Integer>> calls = calls();
        List<Integer> late = ranksWith(record -> record.launches() < sequence);
        List<Integer> absent = absent();
        String others = absent.isEmpty() ? "" : "; there is no dump of " + named(absent);
        if (late.size() == ranks.size()) {
            return "nothing is in flight: " + names(late) + has(late) + " called nothing after #" + (sequence - 1)
                    + others;
        }
        if (calls.size() > 1) {
            return different(calls) + others;
        }
        String what = "#" + sequence
                + calls.keySet().stream().map(call -> ", " + call).collect(Collectors.joining());
        List<Integer> waiting = ranksWith(record -> record.launches() >= sequence && record.completed() < sequence);
        if (!late.isEmpty()) {
            return named(late) + has(late) + " not called " + what + ", which "
                    + (waiting.isEmpty() ? "the others have completed" : names(waiting) + verb(waiting) + " in")
                    + others;
        }
        return absent.isEmpty()
                ? "all ranks have called " + what + ", and " + named(waiting) + has(waiting)
                        + " not completed it: the plan may wait for a signal that never comes"
                : named(absent) + " left no dump, and " + names(waiting) + verb(waiting) + " in " + what;
    }

    private String different(Map<String, List<Integer>> calls) {
        List<Map.Entry<String, List<Integer>>> mostFirst = calls.entrySet().stream()
                .sorted(Comparator.comparingInt(call -> -call.getValue().size())) // stable
                .toList();
        Map.Entry<String, List<Integer>> most = mostFirst.getFirst();
        return mostFirst.stream()
                .skip(1)
                .map(call -> named(call.getValue()) + " called " + call.getKey() + " as #" + sequence + ", where "
                        + names(most.getValue()) + " called " + most.getKey())
                .collect(Collectors.joining("; "));
    }

    private Map<String, List<Integer>> calls() {
        Map<String, List<Integer>> calls = new LinkedHashMap<>();
        for (RecordedRank record : ranks) {
            if (!record.wordsOf(sequence).isEmpty()) {
                calls.computeIfAbsent(record.wordsOf(sequence), _ -> new ArrayList<>())
                        .add(record.rank());
            }
        }
        return calls;
    }

    private List<Integer> ranksWith(Predicate<RecordedRank> condition) {
        return ranks.stream().filter(condition).map(RecordedRank::rank).toList();
    }

    private List<Integer> absent() {
        List<Integer> known = ranks.stream().map(RecordedRank::rank).toList();
        return IntStream.range(0, ranks.getFirst().worldRanks().size())
                .boxed()
                .filter(rank -> !known.contains(rank))
                .toList();
    }

    /**
     * Names ranks so that their processes can be found: with their world ranks where these differ, their process ids
     * and, if there are several, their hosts.
     */
    private String named(List<Integer> some) {
        List<Integer> worldRanks = ranks.getFirst().worldRanks();
        String places = some.stream()
                .map(rank -> Stream.concat(
                                worldRanks.get(rank).equals(rank)
                                        ? Stream.empty()
                                        : Stream.of("world rank " + worldRanks.get(rank)),
                                ranks.stream()
                                        .filter(record -> record.rank() == rank)
                                        .map(this::process))
                        .collect(Collectors.joining(", ")))
                .filter(place -> !place.isEmpty())
                .collect(Collectors.joining("; "));
        return names(some) + (places.isEmpty() ? "" : " (" + places + ")");
    }

    private String process(RecordedRank record) {
        boolean several = ranks.stream()
                        .map(RecordedRank::host)
                        .filter(host -> !host.isEmpty())
                        .distinct()
                        .count()
                > 1;
        return "process " + record.pid() + (several && !record.host().isEmpty() ? " on " + record.host() : "");
    }

    private static String has(List<Integer> some) {
        return some.size() == 1 ? " has" : " have";
    }

    private static String verb(List<Integer> some) {
        return some.size() == 1 ? " waits" : " wait";
    }

    private static String names(List<Integer> some) {
        if (some.size() == 1) {
            return "rank " + some.getFirst();
        }
        return "ranks "
                + some.subList(0, some.size() - 1).stream().map(String::valueOf).collect(Collectors.joining(", "))
                + " and " + some.getLast();
    }
}
