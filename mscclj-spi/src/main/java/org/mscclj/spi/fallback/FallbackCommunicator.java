package org.mscclj.spi.fallback;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** A communicator of another library. Used by one thread at a time, except for {@link #abort}. */
public interface FallbackCommunicator extends AutoCloseable {
    /**
     * Enqueues a collective.
     *
     * @param root the root, where the collective has one
     * @throws org.mscclj.api.error.UnsupportedException if the library cannot do it; nothing was enqueued
     */
    void enqueue(
            Collective collective,
            DeviceBuffer input,
            DeviceBuffer output,
            DataType type,
            ReduceOp op,
            int root,
            Stream stream);

    /** Ends everything in flight. Any thread may call this. */
    void abort();

    /** Waits for operations in flight and frees everything. Idempotent. */
    @Override
    void close();
}
