package org.mscclj.api.tuning;

import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;

/**
 * The algorithm of messages from a size on.
 *
 * @param collective the collective
 * @param registered whether the calls are those on memory of {@link org.mscclj.api.Communicator#allocate}, to which all
 *     ranks have access, or those on other memory
 * @param leastBytes the smallest message, in bytes: the output of an allgather, the input of other collectives
 * @param algorithm a shipped program with its thread blocks, as {@code packets@8} or {@code packets@8x512}; or a native
 *     algorithm that the service loader finds, as {@code copies_allgather}; or {@link #DEFAULT}
 * @param comment says how the choice was made; has no effect
 */
public record TuningChoice(
        Collective collective, boolean registered, long leastBytes, String algorithm, String comment) {
    /** The communicator chooses as without a file, for sizes that were not measured. */
    public static final String DEFAULT = "default";

    /** Checks that nothing is null, and the size. */
    public TuningChoice {
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(algorithm, "algorithm");
        Objects.requireNonNull(comment, "comment");
        if (leastBytes < 0) {
            throw InvalidArgumentException.of("least message", leastBytes + " bytes", "0 or more");
        }
    }

    /** A choice without a comment. */
    public TuningChoice(Collective collective, boolean registered, long leastBytes, String algorithm) {
        this(collective, registered, leastBytes, algorithm, "");
    }
}
