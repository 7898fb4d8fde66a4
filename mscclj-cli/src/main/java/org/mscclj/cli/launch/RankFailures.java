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
 * Why ranks of this command failed. Each rank says it in a line of its own, and whoever started the ranks tells all of
 * it in one. Safe for use by several threads.
 */
public final class RankFailures {
    private final int ranks;
    private final List<String> endings = new ArrayList<>();
    private final Map<String, Set<Integer>> reasons = new LinkedHashMap<>();

    RankFailures(int ranks) {
        this.ranks = ranks;
    }

    /** What the line of a rank begins with. */
    public static String beginning(int rank) {
        return "mscclj: rank " + rank + ": ";
    }

    /** Keeps a line of a rank, if it says why the rank failed. */
    synchronized boolean keep(int rank, String line) {
        String beginning = beginning(rank);
        if (!line.startsWith(beginning)) {
            return false;
        }
        reasons.computeIfAbsent(line.substring(beginning.length()), reason -> new TreeSet<>())
                .add(rank);
        return true;
    }

    /** A rank ended without being able to say why. */
    synchronized void add(String ending) {
        endings.add(ending);
    }

    /** One line for all; the ranks are named where they do not agree. Empty if nothing failed. */
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
