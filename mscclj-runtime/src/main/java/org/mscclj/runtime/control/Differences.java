package org.mscclj.runtime.control;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Compares what ranks contribute, and renders words only where that differs. */
public final class Differences {
    private Differences() {}

    /**
     * Compares values of ranks.
     *
     * @param values of each rank
     * @param describer renders a value; asked only if values differ
     * @return which ranks have which value, for example "ranks [0, 2]: barrier; ranks [1]: split"; empty if all values
     *     are equal
     */
    public static <T> Optional<String> among(List<T> values, Function<? super T, String> describer) {
        if (values.isEmpty() || values.stream().allMatch(values.getFirst()::equals)) {
            return Optional.empty(); // nearly always, and for many ranks
        }
        Map<T, List<Integer>> ranksByValue = new LinkedHashMap<>();
        for (int rank = 0; rank < values.size(); rank++) {
            ranksByValue
                    .computeIfAbsent(values.get(rank), _ -> new ArrayList<>())
                    .add(rank);
        }
        return Optional.of(ranksByValue.entrySet().stream()
                .map(entry -> "ranks " + entry.getValue() + ": " + describer.apply(entry.getKey()))
                .collect(Collectors.joining("; ")));
    }

    /**
     * Compares bytes of ranks.
     *
     * @param values of each rank
     * @param describer renders the bytes of a rank; asked only if ranks differ
     * @return as {@link #among(List, Function)}; has the bytes, too, if different ones are described alike
     */
    public static Optional<String> among(byte[][] values, Function<byte[], String> describer) {
        if (Arrays.stream(values).allMatch(value -> Arrays.equals(value, values[0]))) {
            return Optional.empty();
        }
        List<String> hex = Arrays.stream(values).map(HexFormat.of()::formatHex).toList();
        Map<String, String> words = hex.stream()
                .distinct()
                .collect(Collectors.toMap(
                        Function.identity(),
                        value -> describer.apply(HexFormat.of().parseHex(value))));
        boolean told = words.values().stream().distinct().count() == words.size();
        return among(hex, value -> words.get(value) + (told ? "" : " (" + value + ")"));
    }
}
