package org.mscclj.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;

/**
 * Algorithms of an application by collective and name, with a selector and a fallback selector. Source of the idea:
 * MSCCL++'s {@code AlgorithmCollection}. A communicator chooses by itself; this class is for applications that pick
 * algorithms. All ranks must pick alike. Not thread-safe.
 */
public final class AlgorithmCollection {
    private final Map<Collective, Map<String, Algorithm>> algorithms = new EnumMap<>(Collective.class);
    private Selector selector = (_, _) -> Optional.empty();
    private Selector fallback = (_, _) -> Optional.empty();

    /** Picks an algorithm. */
    @FunctionalInterface
    public interface Selector {
        /**
         * Returns the algorithm for a call; empty to leave the choice to the next selector.
         *
         * @param ofCollective the algorithms of the call's collective by name, in order of registration
         */
        Optional<Algorithm> select(Map<String, Algorithm> ofCollective, CallShape call);
    }

    /** Creates an empty collection. */
    public AlgorithmCollection() {}

    /**
     * Returns the algorithms that MSCCL++ has by default, under MSCCL++'s names, with what they need. Those for which
     * mscclj ships the same algorithm as a program have a {@linkplain Algorithm#target target}; these programs allocate
     * their own scratch. Those whose names have {@code nvls} use NVLink multicast where it is turned on, and its
     * emulation elsewhere. {@code default_allreduce_rsag_pipeline}, whose rounds overlap, has no target, and is refused
     * with the reason.
     */
    public static AlgorithmCollection defaults() {
        AlgorithmCollection all = new AlgorithmCollection();
        DefaultAlgorithm.all().forEach(all::register);
        return all;
    }

    /**
     * Adds an algorithm.
     *
     * @throws InvalidArgumentException if its collective has one of this name
     */
    public void register(Algorithm algorithm) {
        Objects.requireNonNull(algorithm, "algorithm");
        Map<String, Algorithm> names = algorithms.computeIfAbsent(algorithm.collective(), _ -> new LinkedHashMap<>());
        if (names.putIfAbsent(algorithm.name(), algorithm) != null) {
            throw InvalidArgumentException.of(
                    "algorithm name", algorithm.name(), "one that is not registered yet: " + names.keySet() + " are");
        }
    }

    /** Adds all algorithms of another collection. Selectors stay. */
    public void extend(AlgorithmCollection other) {
        Objects.requireNonNull(other, "other").all().forEach(this::register);
    }

    /** Returns the algorithm of a collective by its name. */
    public Optional<Algorithm> get(Collective collective, String name) {
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(name, "name");
        return Optional.ofNullable(of(collective).get(name));
    }

    /** Returns the algorithms of a collective by name, in order of registration. */
    public Map<String, Algorithm> of(Collective collective) {
        Objects.requireNonNull(collective, "collective");
        return Collections.unmodifiableMap(algorithms.getOrDefault(collective, Map.of()));
    }

    /** Returns all algorithms. */
    public List<Algorithm> all() {
        List<Algorithm> all = new ArrayList<>();
        algorithms.values().forEach(names -> all.addAll(names.values()));
        return all;
    }

    /** Sets the selector that is called first. */
    public void setSelector(Selector first) {
        selector = Objects.requireNonNull(first, "selector");
    }

    /** Sets the selector that is called if the first one picks nothing. */
    public void setFallbackSelector(Selector second) {
        fallback = Objects.requireNonNull(second, "selector");
    }

    /**
     * Picks an algorithm by the selectors. One that {@linkplain Algorithm#refusal(CallShape) refuses} the call counts
     * as not picked.
     *
     * @throws UnsupportedException if neither picks one; the message has the reason for each refusal
     */
    public Algorithm select(CallShape call) {
        Map<String, Algorithm> names = of(Objects.requireNonNull(call, "call").collective());
        List<String> refusals = new ArrayList<>();
        return picked(selector, names, call, refusals)
                .or(() -> picked(fallback, names, call, refusals))
                .orElseThrow(() -> new UnsupportedException("no selector picks an algorithm for " + call + " of "
                        + names.keySet()
                        + (refusals.isEmpty() ? "" : "; refused: " + String.join("; ", refusals))
                        + "; set one that does, or call the communicator, which chooses by itself"));
    }

    private static Optional<Algorithm> picked(
            Selector selector, Map<String, Algorithm> names, CallShape call, List<String> refusals) {
        Optional<Algorithm> algorithm = selector.select(names, call);
        Optional<String> refusal = algorithm.flatMap(one -> one.refusal(call));
        refusal.ifPresent(reason -> refusals.add(algorithm.orElseThrow().name() + ": " + reason));
        return algorithm.filter(_ -> refusal.isEmpty());
    }
}
