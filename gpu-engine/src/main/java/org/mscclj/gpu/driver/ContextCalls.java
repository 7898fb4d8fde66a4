package org.mscclj.gpu.driver;

/** Contexts of threads: most calls of a driver are about the GPU whose context is the calling thread's current one. */
public interface ContextCalls {
    /** The context of the calling thread itself; 0 if it has none. Allocates nothing but once a thread. */
    long current();

    /** Makes a context the calling thread's. Allocates nothing. */
    int setCurrent(long context);

    /**
     * Lets the current context's GPU access what other software allocates in another context, for good; success if it
     * can already.
     */
    int enablePeerAccess(long peerContext);
}
