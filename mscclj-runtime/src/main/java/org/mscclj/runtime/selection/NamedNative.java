package org.mscclj.runtime.selection;

import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.LaunchSize;

/**
 * A native algorithm that a call names, for example {@code own}, or {@code own@8x512} for eight blocks of 512 threads.
 *
 * @param size blocks and threads; 0 where the algorithm chooses
 */
record NamedNative(NativeAlgorithm<?> algorithm, LaunchSize size) {
    /** Returns the algorithm with another size. */
    NamedNative of(LaunchSize other) {
        return new NamedNative(algorithm, other);
    }
}
