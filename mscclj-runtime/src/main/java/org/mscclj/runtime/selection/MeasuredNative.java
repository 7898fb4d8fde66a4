package org.mscclj.runtime.selection;

import java.util.Optional;
import org.mscclj.api.NativeAlgorithm;

/**
 * The native algorithm that the measured choices have for a call.
 *
 * @param name its name and size, as the choices have them
 * @param own the algorithm; empty if it is not registered
 * @param refusal why it cannot serve the call with that size; empty if it can
 */
record MeasuredNative(String name, Optional<NamedNative> own, Optional<String> refusal) {
    /** Returns whether it serves the call, and is an algorithm. */
    boolean serves(NativeAlgorithm<?> algorithm) {
        return refusal.isEmpty()
                && own.filter(named -> named.algorithm().equals(algorithm)).isPresent();
    }

    /** Returns whether a registered algorithm has exactly this name: the choices leave the size to it. */
    boolean isRegistered() {
        return own.filter(named -> named.algorithm().name().equals(name)).isPresent();
    }
}
