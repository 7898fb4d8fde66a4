package org.mscclj.runtime.control;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** In which words ranks differ that should say the same. */
public final class Differences {
    private Differences() {}

    /**
     * Compares what ranks say.
     *
     * @param words of each rank
     * @return who says what, for example "ranks [0, 2]: barrier; ranks [1]: split"; empty if all say the same
     */
    public static Optional<String> among(List<String> words) {
        if (words.isEmpty() || Collections.frequency(words, words.getFirst()) == words.size()) {
            return Optional.empty(); // nearly always, and for many ranks
        }
        Map<String, List<Integer>> ranksByWords = new LinkedHashMap<>();
        for (int rank = 0; rank < words.size(); rank++) {
            ranksByWords
                    .computeIfAbsent(words.get(rank), _ -> new ArrayList<>())
                    .add(rank);
        }
        return Optional.of(ranksByWords.entrySet().stream()
                .map(entry -> "ranks " + entry.getValue() + ": " + entry.getKey())
                .collect(Collectors.joining("; ")));
    }
}
