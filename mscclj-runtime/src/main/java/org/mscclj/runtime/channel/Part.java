package org.mscclj.runtime.channel;

/** An object that the application creates and may close. Closing the communicator closes it at the latest. */
interface Part extends AutoCloseable {
    /** Returns whether this object has not been closed. */
    boolean isOpen();

    /**
     * Closes this object. Idempotent. If another thread is closing it, this method returns only after that close is
     * complete, so that the caller can then close what this object uses. If another rank is the last to close its
     * communicator, the thread of that rank calls this method.
     */
    @Override
    void close();
}
