package org.mscclj.gpu.queue;

/** Something on the device, or a library that works on it, that may request an abort of its communicator. */
public interface AbortRequest {
    /**
     * Whether an abort may be requested; {@link #look} returns the exact answer. Neither blocks nor allocates. Any
     * thread may call this at any time.
     */
    boolean isAsked();

    /**
     * Aborts the communicator if that is requested. Returns whether to call this again later. Code that sets the
     * communicator's flag, and code that the flag calls, must not call this.
     */
    boolean look();
}
