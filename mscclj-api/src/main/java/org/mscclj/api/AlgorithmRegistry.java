package org.mscclj.api;

import java.util.List;

/**
 * The native algorithms of a communicator. All ranks must register equal ones, in the same order. A call is served by
 * one of them if it names it, or if no registered plan serves the call: the first one that does not refuse it.
 * Algorithms are removed by the thread that uses the communicator; the other methods are safe for several threads.
 */
public interface AlgorithmRegistry {
    /**
     * Registers an algorithm.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if its name is that of a shipped program, a registered
     *     plan, a fallback or another native algorithm
     */
    void register(NativeAlgorithm<?> algorithm);

    /**
     * Removes an algorithm: waits for its launches, closes the operations that were prepared with it and its contexts,
     * and closes it itself, if it was initialised. Then memory can be closed that its contexts use. What graphs need
     * stays until they are destroyed. All ranks must remove equal algorithms between equal calls.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if none of that name is registered
     */
    void unregister(String name);

    /** Returns the registered algorithms, in order of registration. */
    List<NativeAlgorithm<?>> registered();
}
