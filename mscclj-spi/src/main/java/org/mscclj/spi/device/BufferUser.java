package org.mscclj.spi.device;

/**
 * An occasional user of a buffer, which does not prevent the owner from closing the buffer between uses: a cached
 * operation, for example. The thread that closes the buffer calls it.
 */
public interface BufferUser {
    /** Whether work that uses the buffer is in flight, so that closing it must throw. Does not block. */
    boolean isUsing();

    /**
     * Notifies the user that the buffer is closed; its memory is freed when this method has returned. If work is in
     * flight nevertheless, this method waits for it.
     */
    void bufferClosed();

    /**
     * Whether the owner of this user removes it once it no longer uses the buffer, or when it is notified that the
     * buffer was closed. Other users, such as graphs that other software may destroy, are polled for whether they still
     * use a buffer that its owner has abandoned.
     */
    default boolean removesItself() {
        return true;
    }
}
