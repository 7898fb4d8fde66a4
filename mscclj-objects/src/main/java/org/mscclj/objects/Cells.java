package org.mscclj.objects;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;

/** Device memory for objects of different sizes, in cells of equal size; a cell holds a length and the bytes. */
final class Cells implements AutoCloseable {
    /** Sizes are rounded up, because the communicator sets up each size once. */
    private static final long SMALLEST = 256;

    private final DeviceBuffer buffer;
    private final long cellBytes;

    /**
     * Allocates empty cells.
     *
     * @param largest size of the largest object in bytes; equal on all ranks
     */
    Cells(Communicator communicator, int count, long largest) {
        long needed = Math.max(SMALLEST, largest + Integer.BYTES);
        this.cellBytes = Long.highestOneBit(needed - 1) << 1;
        this.buffer = communicator.device().allocate(Math.multiplyExact(cellBytes, count));
    }

    /** The memory of all cells. */
    DeviceBuffer all() {
        return buffer;
    }

    /** The memory of one cell. */
    DeviceBuffer one(int index) {
        return buffer.slice(index * cellBytes, cellBytes);
    }

    void put(int index, byte[] object) {
        byte[] cell = ByteBuffer.allocate(Integer.BYTES + object.length)
                .putInt(object.length)
                .put(object)
                .array();
        buffer.slice(index * cellBytes, cell.length).copyFrom(MemorySegment.ofArray(cell));
    }

    byte[] get(int index) {
        byte[] length = new byte[Integer.BYTES];
        buffer.slice(index * cellBytes, length.length).copyTo(MemorySegment.ofArray(length));
        int bytes = ByteBuffer.wrap(length).getInt();
        if (bytes < 0 || bytes > cellBytes - Integer.BYTES) {
            throw new InvalidArgumentException("an object of " + bytes + " bytes arrived in a cell of " + cellBytes
                    + "; do all ranks run the same version of mscclj?");
        }
        byte[] cell = new byte[Integer.BYTES + bytes];
        buffer.slice(index * cellBytes, cell.length).copyTo(MemorySegment.ofArray(cell));
        return Arrays.copyOfRange(cell, Integer.BYTES, cell.length);
    }

    @Override
    public void close() {
        buffer.close();
    }
}
