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

/** Compares the contributions of ranks, and describes them only if they differ. */
public final class Differences {
    private Differences() {}

    /**
     * Compares values of ranks.
     *
     * @param values the value of each rank
     * @param describer describes a value; called only if values differ
     * @return which ranks have which value, for example "ranks [0, 2]: barrier; ranks [1]: split"; empty if all values
     *     are equal
     */
    public static <T> Optional<String> among(List<T> values, Function<? super T, String> describer) {
        if (areEqual(values)) {
            return Optional.empty(); // the usual case, also for many ranks
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

    private static boolean areEqual(List<?> values) {
        for (Object value : values) {
            if (!value.equals(values.getFirst())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Compares bytes of ranks.
     *
     * @param values the bytes of each rank
     * @param describer describes the bytes of a rank; called only if ranks differ
     * @return a text like that of {@link #among(List, Function)}; it contains the bytes, too, if different bytes have
     *     one description
     */
    public static Optional<String> among(byte[][] values, Function<byte[], String> describer) {
        if (Arrays.stream(values).allMatch(value -> Arrays.equals(value, values[0]))) {
            return Optional.empty();
        }
        List<String> hex = Arrays.stream(values).map(HexFormat.of()::formatHex).toList();
        Map<String, String> words = hex.stream()
                .distinct()
                .collect(Collectors.toMap(
                        Function.identity(), value -> describe(HexFormat.of().parseHex(value), describer)));
        boolean told = words.values().stream().distinct().count() == words.size();
        return among(hex, value -> words.get(value) + (told ? "" : " (" + value + ")"));
    }

    /** A describer may not know the bytes of another rank. All ranks are named even so. */
    private static String describe(byte[] value, Function<byte[], String> describer) {
        try {
            return String.valueOf(describer.apply(value));
        } catch (RuntimeException e) {
            return value.length + " bytes that cannot be described: " + e.getMessage();
        }
    }
}
