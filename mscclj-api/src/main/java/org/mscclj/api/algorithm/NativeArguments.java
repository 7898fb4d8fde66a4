package org.mscclj.api.algorithm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.mscclj.api.type.DataType;

/**
 * Arguments of a call besides its buffers, type, operation and root, for native algorithms that
 * {@linkplain org.mscclj.api.NativeAlgorithm#allowedArguments allow} them. Equal on all ranks, except for the values of
 * the extra parameters, which are each rank's own. Immutable.
 *
 * @param symmetricMemory whether the caller states that the buffers lie at equal offsets in memory that all ranks have
 *     allocated together. A communicator knows that of memory of {@link org.mscclj.api.Communicator#allocate}. Any
 *     algorithm takes the statement; plans and programs do not read it
 * @param accumulationType the type in which sums are formed; empty for the algorithm's choice
 * @param extras further parameters by name, such as addresses; in the order of names
 */
public record NativeArguments(boolean symmetricMemory, Optional<DataType> accumulationType, Map<String, Long> extras) {
    /** No statement, no accumulation type, and no extra parameters. */
    public static final NativeArguments NONE = new NativeArguments(false, Optional.empty(), Map.of());

    /** Copies the map. */
    public NativeArguments {
        Objects.requireNonNull(accumulationType, "accumulationType");
        extras = Collections.unmodifiableMap(new TreeMap<>(Map.copyOf(Objects.requireNonNull(extras, "extras"))));
    }

    /** Returns a copy with 0 for each extra parameter: what is equal on all ranks. */
    public NativeArguments withoutValues() {
        if (extras.isEmpty()) {
            return this;
        }
        Map<String, Long> zeros = new TreeMap<>(extras);
        zeros.replaceAll((_, _) -> 0L);
        return new NativeArguments(symmetricMemory, accumulationType, zeros);
    }

    /** Returns what is not the default, without the values of extra parameters; empty for {@link #NONE}. */
    @Override
    public String toString() {
        if (equals(NONE)) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        if (symmetricMemory) {
            parts.add("symmetric memory");
        }
        accumulationType.ifPresent(type -> parts.add("sums in " + type));
        if (!extras.isEmpty()) {
            parts.add("extra parameters " + extras.keySet());
        }
        return String.join(", ", parts);
    }
}
