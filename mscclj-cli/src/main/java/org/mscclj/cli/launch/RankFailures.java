package org.mscclj.cli.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Collects why ranks of this command have failed. Each rank prints a line, and the process that has started the ranks
 * prints a summary. Safe for use by several threads.
 */
public final class RankFailures {
    private final int ranks;
    private final List<String> endings = new ArrayList<>();
    private final Map<String, Set<Integer>> reasons = new LinkedHashMap<>();

    RankFailures(int ranks) {
        this.ranks = ranks;
    }

    /** The prefix of a rank's line. */
    public static String beginning(int rank) {
        return "mscclj: rank " + rank + ": ";
    }

    /** Adds a line of a rank's output, if it contains the reason of a failure; returns whether it does. */
    synchronized boolean keep(int rank, String line) {
        String beginning = beginning(rank);
        if (!line.startsWith(beginning)) {
            return false;
        }
        reasons.computeIfAbsent(line.substring(beginning.length()), reason -> new TreeSet<>())
                .add(rank);
        return true;
    }

    /** Adds a rank that has ended without printing a reason. */
    synchronized void add(String ending) {
        endings.add(ending);
    }

    /** Returns one line for all ranks, which names ranks where their reasons differ; empty if no rank has failed. */
    synchronized Optional<String> line() {
        if (endings.isEmpty() && reasons.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("mscclj: "
                + Stream.concat(
                                endings.stream(),
                                reasons.entrySet().stream().map(reason -> sentence(reason.getKey(), reason.getValue())))
                        .collect(Collectors.joining("; ")));
    }

    private String sentence(String reason, Set<Integer> of) {
        if (of.size() == ranks) {
            return reason;
        }
        return (of.size() == 1 ? "rank " : "ranks ")
                + of.stream().map(rank -> Integer.toString(rank)).collect(Collectors.joining(", ")) + ": " + reason;
    }
}
