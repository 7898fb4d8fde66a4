package org.mscclj.spi.fallback;

import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** A communicator of another library. Used by one platform thread at a time, except for {@link #abort}. */
public interface FallbackCommunicator extends AutoCloseable {
    /**
     * The reason why the library cannot carry out such a call, with a remedy for the user; empty if it can. Equal on
     * all ranks; enqueues nothing, and allocates nothing where the result is empty.
     *
     * @param inPlace whether input and output share memory
     */
    Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace);

    /**
     * Enqueues a collective. Does not block, except for the first call of its kind, which may wait for the other ranks.
     * On a stream that is being captured the call becomes part of the graph; enqueue one call of its kind before.
     *
     * @param root the root, where the collective has one
     * @param stream a stream that has a native handle
     * @throws org.mscclj.api.error.InvalidArgumentException if sizes or root do not fit; nothing was enqueued
     * @throws org.mscclj.api.error.UnsupportedException if {@link #refusal} returns a reason; nothing was enqueued
     */
    void enqueue(
            Collective collective,
            DeviceBuffer input,
            DeviceBuffer output,
            DataType type,
            ReduceOp op,
            int root,
            Stream stream);

    /**
     * Allocates memory by the library and registers it with this communicator: the memory on which the library is
     * fastest. For the device's backend it is foreign memory. Close it before the communicator.
     *
     * @param bytes more than 0
     * @param symmetric whether all ranks register equal sizes together, for functions of the library that need such
     *     memory; collective then
     * @throws org.mscclj.api.error.UnsupportedException if the library has no such memory
     */
    default DeviceBuffer allocate(long bytes, boolean symmetric) {
        throw new UnsupportedException("the library has no memory of its own; allocate memory of the device");
    }

    /** Ends all operations in flight. Any thread may call this. */
    void abort();

    /** Waits for operations in flight and frees all resources. Idempotent. */
    @Override
    void close();
}
