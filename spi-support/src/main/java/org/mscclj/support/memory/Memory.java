package org.mscclj.support.memory;

/**
 * The memory that a device reaches, by address: its own, and that of peers as far as it is mapped. A vendor whose
 * devices have memory of another kind implements it. Nothing is checked: addresses come from buffers and mappings that
 * the caller keeps. Safe for use by several threads.
 *
 * <p>Bytes may have any alignment. Words have 8 bytes and begin at a multiple of 8. A thread, of this process or
 * another, whose {@link #getAcquire} returns the value of a {@link #setRelease} or an {@link #add} also sees everything
 * that the writing thread wrote before.
 */
public interface Memory {
    /** Copies bytes from the memory. */
    void read(long address, byte[] destination, int offset, int bytes);

    /** Copies bytes to the memory. */
    void write(long address, byte[] source, int offset, int bytes);

    /** The word at an address; acquires. */
    long getAcquire(long address);

    /** Sets the word at an address in one piece; releases. */
    void setRelease(long address, long value);

    /** Adds to the word at an address atomically; acquires and releases. */
    void add(long address, long delta);

    /** Copies bytes within the memory; the ranges do not overlap, or are equal. */
    default void copy(long from, long to, long bytes) {
        byte[] batch = new byte[(int) Math.min(bytes, 1 << 16)];
        for (long done = 0; done < bytes; done += batch.length) {
            int some = (int) Math.min(batch.length, bytes - done);
            read(from + done, batch, 0, some);
            write(to + done, batch, 0, some);
        }
    }
}
