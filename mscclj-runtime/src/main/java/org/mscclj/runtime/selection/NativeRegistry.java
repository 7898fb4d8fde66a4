package org.mscclj.runtime.selection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.mscclj.api.AlgorithmRegistry;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;

/** Native algorithms by name, in order of registration. */
public final class NativeRegistry implements AlgorithmRegistry {
    private final Map<String, NativeAlgorithm<?>> algorithms = new LinkedHashMap<>();
    private final ReservedNames reserved = new ReservedNames("algorithm");
    private long changes;

    /** How many algorithms may serve calls that do not name them. */
    private int unnamed;

    private Consumer<NativeAlgorithm<?>> removed = _ -> {};

    /** Creates an empty registry. */
    public NativeRegistry() {}

    /** Sets the action that follows the removal of an algorithm. */
    public synchronized void whenRemoved(Consumer<NativeAlgorithm<?>> action) {
        removed = action;
    }

    /** Refuses names from now on: the function returns what has a name, if something has. */
    void reserve(Function<String, Optional<String>> owner) {
        reserved.reserve(owner);
    }

    @Override
    public void register(NativeAlgorithm<?> algorithm) {
        String name = Objects.requireNonNull(algorithm, "algorithm").name();
        reserved.require(name);
        add(name, algorithm);
    }

    private synchronized void add(String name, NativeAlgorithm<?> algorithm) {
        if (algorithms.putIfAbsent(name, algorithm) != null) {
            throw InvalidArgumentException.of(
                    "algorithm name",
                    PlainText.quote(name),
                    "a name that is not registered yet: "
                            + algorithms.keySet().stream().map(PlainText::brief).toList() + " are");
        }
        unnamed += algorithm.onlyByName() ? 0 : 1;
        changes++;
    }

    @Override
    public void unregister(String name) {
        Objects.requireNonNull(name, "name");
        NativeAlgorithm<?> algorithm;
        Consumer<NativeAlgorithm<?>> action;
        synchronized (this) {
            algorithm = algorithms.remove(name);
            if (algorithm == null) {
                throw InvalidArgumentException.of(
                        "algorithm name",
                        PlainText.quote(name),
                        "a registered algorithm: "
                                + algorithms.keySet().stream()
                                        .map(PlainText::brief)
                                        .toList());
            }
            unnamed -= algorithm.onlyByName() ? 0 : 1;
            changes++;
            action = removed;
        }
        action.accept(algorithm); // waits for launches
    }

    @Override
    public synchronized List<NativeAlgorithm<?>> registered() {
        return new ArrayList<>(algorithms.values());
    }

    /**
     * Returns the algorithm that a name means, which may end with a launch size.
     *
     * @throws InvalidArgumentException if it ends with {@code @} and no size behind
     */
    synchronized Optional<NamedNative> find(String name) {
        NativeAlgorithm<?> whole = algorithms.get(name);
        if (whole != null) {
            return Optional.of(new NamedNative(whole, LaunchSize.CHOSEN));
        }
        return Optional.ofNullable(algorithms.get(LaunchSize.base(name)))
                .map(algorithm -> new NamedNative(algorithm, LaunchSize.of(name)));
    }

    /** Returns whether an algorithm of a name is registered. */
    synchronized boolean has(String name) {
        return algorithms.containsKey(name);
    }

    /** Returns whether an algorithm may serve calls that do not name it. */
    synchronized boolean mayServeAnyCall() {
        return unnamed > 0;
    }

    synchronized long changes() {
        return changes;
    }
}
