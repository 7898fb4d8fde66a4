package org.mscclj.runtime.execution;

import org.mscclj.api.device.Stream;

/**
 * How an operation is prepared, whatever it computes.
 *
 * @param algorithm what {@link org.mscclj.api.PreparedOperation#algorithm} shall say
 * @param stream the stream of launches that name none
 * @param hold what closing a buffer means
 * @param root the root of the collective; −1 if it has none, or the plan decides
 */
public record Preparation(String algorithm, Stream stream, BufferHold hold, int root) {
    /** An operation without a root, or whose plan decides on it. */
    public Preparation(String algorithm, Stream stream, BufferHold hold) {
        this(algorithm, stream, hold, -1);
    }

    /** The same for a root. */
    public Preparation withRoot(int root) {
        return new Preparation(algorithm, stream, hold, root);
    }
}
