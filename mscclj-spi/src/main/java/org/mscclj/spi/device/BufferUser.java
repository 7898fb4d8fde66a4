package org.mscclj.spi.device;

/**
 * Somebody who uses a buffer now and then, and does not keep its owner from closing it in between: a cached operation,
 * for example. Called by the thread that closes the buffer.
 */
public interface BufferUser {
    /** Whether work that uses the buffer is in flight, so that closing it must throw. Does not block. */
    boolean isUsing();

    /**
     * The buffer is closed, and its memory is freed when this method has returned. Should work be in flight after all,
     * waits for it.
     */
    void bufferClosed();

    /**
     * Whether it is removed by who added it once it uses the buffer no more, or is told that the buffer was closed.
     * Others, as graphs that other software may destroy, are asked now and then whether they still use what its owner
     * has given up.
     */
    default boolean removesItself() {
        return true;
    }
}
