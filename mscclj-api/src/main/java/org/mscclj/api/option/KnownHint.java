package org.mscclj.api.option;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The hints that mean something to mscclj. */
public enum KnownHint {
    /**
     * Whether the communicator's own stream ({@link org.mscclj.api.Communicator#stream()}) has a high priority: its
     * copies and kernels go before others that wait for the device. CUDA does so; the host backend, whose streams have
     * no priorities, accepts it and does nothing.
     */
    HIGH_PRIORITY_STREAM(
            "mscclj::high_priority_stream",
            List.of("torchcomm::ncclx::high_priority_stream"),
            "whether the communicator's own stream goes before others",
            List.of("false", "true"),
            Set.of(Scope.COMMUNICATOR)),
    /**
     * Whether each rank looks for NaN in what an operation reads on it before it launches the operation, and throws
     * {@link org.mscclj.api.error.InvalidArgumentException} if it finds one: nothing was launched then, and the rank
     * may call again with other data. It is for operations on elements of a floating-point type; messages have one if
     * {@link org.mscclj.api.TransferCall#type} says so. To look, the launching thread waits until what is enqueued
     * before has ended, and reads all of the input: it is made to find faults. A call's hint comes before its
     * communicator's, and that before the environment variable {@code MSCCLJ_NAN_CHECK}, 1 or 0. Ranks may say
     * different things.
     */
    NAN_CHECK(
            "mscclj::nan_check",
            List.of(),
            "whether launches look for NaN in their input first",
            List.of("false", "true"),
            Set.of(Scope.COMMUNICATOR, Scope.CALL));

    /** What hints are given to. */
    public enum Scope {
        /** A communicator, or a group of them, when it is opened. */
        COMMUNICATOR,
        /** A single call. */
        CALL
    }

    private final String key;
    private final List<String> aliases;
    private final String description;
    private final List<String> allowedValues;
    private final Set<Scope> scopes;

    KnownHint(String key, List<String> aliases, String description, List<String> allowedValues, Set<Scope> scopes) {
        this.key = key;
        this.aliases = aliases;
        this.description = description;
        this.allowedValues = allowedValues;
        this.scopes = scopes;
    }

    /** Its key. */
    public String key() {
        return key;
    }

    /** Keys of other libraries that mean the same. */
    public List<String> aliases() {
        return aliases;
    }

    /** What it does, in words. */
    public String description() {
        return description;
    }

    /** The allowed values; the first is what holds where nothing else says something. */
    public List<String> allowedValues() {
        return allowedValues;
    }

    /** Where it may be given. */
    public Set<Scope> scopes() {
        return scopes;
    }

    /** The hint of a key, or of an alias. */
    public static Optional<KnownHint> of(String key) {
        Objects.requireNonNull(key, "key");
        return Arrays.stream(values())
                .filter(hint -> hint.keys().anyMatch(key::equals))
                .findFirst();
    }

    /** Its value among hints, allowed or not, by its key or else by an alias. */
    public Optional<String> in(Hints hints) {
        Objects.requireNonNull(hints, "hints");
        return keys().flatMap(known -> hints.get(known).stream()).findFirst();
    }

    private Stream<String> keys() {
        return Stream.concat(Stream.of(key), aliases.stream());
    }
}
