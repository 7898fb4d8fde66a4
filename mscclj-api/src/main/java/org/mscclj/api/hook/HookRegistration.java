package org.mscclj.api.hook;

/** The registration of a hook with a communicator. */
public interface HookRegistration extends AutoCloseable {
    /** Removes the hook; calls in progress continue. Idempotent, and safe in any thread. */
    @Override
    void close();
}
