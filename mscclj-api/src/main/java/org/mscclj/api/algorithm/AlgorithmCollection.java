package org.mscclj.api.algorithm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;

/** Algorithms by collective and name, in the order in which they were added. Immutable. */
public final class AlgorithmCollection {
    private final Map<Collective, Map<String, Algorithm>> algorithms;

    private AlgorithmCollection(Map<Collective, Map<String, Algorithm>> algorithms) {
        this.algorithms = algorithms;
    }

    /**
     * A collection of the given algorithms.
     *
     * @throws InvalidArgumentException if two of one collective have the same name
     */
    public static AlgorithmCollection of(List<? extends Algorithm> algorithms) {
        Map<Collective, Map<String, Algorithm>> map = new LinkedHashMap<>();
        for (Algorithm algorithm : algorithms) {
            Map<String, Algorithm> named = map.computeIfAbsent(algorithm.collective(), c -> new LinkedHashMap<>());
            if (named.putIfAbsent(algorithm.name(), algorithm) != null) {
                throw InvalidArgumentException.of(
                        "algorithm", algorithm.collective() + " " + algorithm.name() + " (twice)", "one of each name");
            }
        }
        return new AlgorithmCollection(map);
    }

    /** The algorithms of a collective, in order. */
    public List<Algorithm> of(Collective collective) {
        return List.copyOf(algorithms.getOrDefault(collective, Map.of()).values());
    }

    /** The algorithm of the given name. */
    public Optional<Algorithm> get(Collective collective, String name) {
        return Optional.ofNullable(algorithms.getOrDefault(collective, Map.of()).get(name));
    }
}
