package org.mscclj.runtime.signature;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Location of a buffer, by numbers with one meaning on all ranks.
 *
 * @param allocation the number of the registered allocation; 0 for memory that is not registered
 * @param offset bytes from the start of the allocation
 */
public record BufferLocation(long allocation, long offset) {
    /** Memory that is not registered. */
    public static final BufferLocation PLAIN = new BufferLocation(0, 0);

    /** Returns whether peers may access the buffer. */
    public boolean isRegistered() {
        return allocation != 0;
    }

    void write(DataOutputStream out) throws IOException {
        out.writeLong(allocation);
        out.writeLong(offset);
    }

    static BufferLocation read(DataInputStream in) throws IOException {
        return new BufferLocation(in.readLong(), in.readLong());
    }

    @Override
    public String toString() {
        return isRegistered() ? "allocation " + allocation + " at offset " + offset : "plain memory";
    }
}
