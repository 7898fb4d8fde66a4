package org.mscclj.gpu.driver;

/**
 * Contexts of threads. Most calls of a driver refer to the GPU whose context is the calling thread's current context.
 */
public interface ContextCalls {
    /** The current context of the calling thread; 0 if it has none. Allocates nothing, except once per thread. */
    long current();

    /** Sets the current context of the calling thread. Allocates nothing. */
    int setCurrent(long context);

    /**
     * Gives the current context's GPU access to memory that other software allocates in another context, permanently.
     * Succeeds if it has access already.
     */
    int enablePeerAccess(long peerContext);
}
