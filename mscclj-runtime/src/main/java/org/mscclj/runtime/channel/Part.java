package org.mscclj.runtime.channel;

/** Something that the application made and may close, and that is closed with the communicator at the latest. */
interface Part extends AutoCloseable {
    /** Whether it has not been closed. */
    boolean isOpen();

    /**
     * Closes it. Idempotent. A second thread that closes it returns when it is closed, not before: what it uses can
     * then be closed too. The thread of another rank closes it if that rank is the last to close its communicator.
     */
    @Override
    void close();
}
