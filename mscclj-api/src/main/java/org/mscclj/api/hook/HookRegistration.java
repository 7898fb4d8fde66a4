package org.mscclj.api.hook;

/** A hook that a communicator knows. */
public interface HookRegistration extends AutoCloseable {
    /** Removes the hook; calls that are under way go on. Idempotent, and safe in any thread. */
    @Override
    void close();
}
