package org.mscclj.api.option;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The hints that mscclj knows. */
public enum KnownHint {
    /**
     * Whether the communicator's own stream ({@link org.mscclj.api.Communicator#stream()}) has a high priority: its
     * copies and kernels precede others that wait for the device. CUDA implements this hint; the host backend, whose
     * streams have no priorities, accepts and ignores it.
     */
    HIGH_PRIORITY_STREAM(
            "mscclj::high_priority_stream",
            List.of("torchcomm::ncclx::high_priority_stream"),
            "whether the communicator's own stream goes before others",
            List.of("false", "true"),
            Set.of(Scope.COMMUNICATOR)),
    /**
     * Whether each rank checks its input of an operation for NaN before it launches the operation, and throws
     * {@link org.mscclj.api.error.InvalidArgumentException} if it finds one: nothing was launched then, and the rank
     * may call again with other data. The check applies to operations on elements of a floating-point type; a
     * point-to-point call has a type if {@link org.mscclj.api.TransferCall#type} sets one. For the check, the launching
     * thread waits until all work enqueued before has ended, and reads all of the input: the hint is a debugging aid. A
     * call's hint takes precedence over its communicator's, and that over the environment variable
     * {@code MSCCLJ_NAN_CHECK}, 1 or 0. Ranks may pass different values.
     */
    NAN_CHECK(
            "mscclj::nan_check",
            List.of(),
            "whether launches check their input for NaN first",
            List.of("false", "true"),
            Set.of(Scope.COMMUNICATOR, Scope.CALL));

    /** The scope of a hint. */
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

    /** The keys of other libraries for this hint. */
    public List<String> aliases() {
        return aliases;
    }

    /** A text that describes the effect of the hint. */
    public String description() {
        return description;
    }

    /** The allowed values; the first is the default. */
    public List<String> allowedValues() {
        return allowedValues;
    }

    /** The scopes in which the hint may be given. */
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

    /** The value of this hint among hints, allowed or not, by its key or else by an alias. */
    public Optional<String> in(Hints hints) {
        Objects.requireNonNull(hints, "hints");
        return keys().flatMap(known -> hints.get(known).stream()).findFirst();
    }

    private Stream<String> keys() {
        return Stream.concat(Stream.of(key), aliases.stream());
    }
}
