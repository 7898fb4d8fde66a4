package org.mscclj.runtime.channel;

/** Something that the application made and may close, and that is closed with the communicator at the latest. */
interface Part extends AutoCloseable {
    /** Whether it has not been closed. */
    boolean isOpen();

    /** Closes it. Idempotent. */
    @Override
    void close();
}
