package org.mscclj.spi.fallback;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A communicator of another library. Used by one thread at a time, except for {@link #abort} and {@link #failure}. The
 * thread may be a virtual one.
 */
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
     * @throws UnsupportedException if {@link #refusal} returns a reason; nothing was enqueued
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
     * @throws UnsupportedException if the library has no such memory
     */
    default DeviceBuffer allocate(long bytes, boolean symmetric) {
        throw new UnsupportedException("the library has no memory of its own; allocate memory of the device");
    }

    /**
     * Registers memory of the device with this communicator, so that the library uses it without copies, also in
     * graphs. Close the registration before the memory and before the communicator.
     *
     * @param symmetric whether all ranks register equal sizes together; collective then
     * @throws UnsupportedException if the library does not register memory
     */
    default FallbackRegistration register(DeviceBuffer buffer, boolean symmetric) {
        throw new UnsupportedException("the library registers no memory; use memory as it is");
    }

    /**
     * Enqueues a batch of sends and receives, which move concurrently: point-to-point operations, and collectives whose
     * parts have sizes of their own.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if a peer is no rank; nothing was enqueued
     * @throws UnsupportedException if the library has no sends and receives
     */
    default void transfer(TransferCall call, Stream stream) {
        throw new UnsupportedException("the library has no sends and receives; use those of the communicator");
    }

    /**
     * Enqueues a reduce-scatter whose parts have sizes of their own.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if sizes do not fit; nothing was enqueued
     * @throws UnsupportedException if the library does not have it for the type and the operation
     */
    default void reduceScatter(ReduceScatterCall call, Stream stream) {
        throw new UnsupportedException("the library's reducescatter has parts of one size; use that");
    }

    /**
     * Opens communicators of the ranks that give the same colour, ordered by key. Collective.
     *
     * @param colour 0 or more; −1 for no communicator
     * @return empty for the colour −1
     * @throws org.mscclj.api.error.AbortedException if this communicator has failed or was aborted
     * @throws UnsupportedException if the library cannot split
     */
    default Optional<FallbackCommunicator> split(int colour, int key) {
        throw new UnsupportedException("the library does not split communicators; open another one");
    }

    /**
     * Opens a communicator without the lost ranks, which do not call this; the others keep their order. Collective.
     * This communicator must work. NCCL refuses to shrink one that has {@linkplain #failure() failed}, in all versions
     * from 2.27.3 to 2.30.7, whether operations are ended first or not.
     *
     * @param lost ranks of this communicator, at least one
     * @param abort whether operations that wait on the device are ended first; then close this communicator, and use it
     *     for nothing else
     * @throws org.mscclj.api.error.AbortedException if this communicator has failed or was aborted, and the library
     *     cannot shrink it; open a communicator of the ranks that are left with a new id
     * @throws UnsupportedException if the library cannot shrink
     */
    default FallbackCommunicator shrink(List<Integer> lost, boolean abort) {
        throw new UnsupportedException("the library does not shrink communicators; open another one");
    }

    /**
     * Returns why the library can no longer use this communicator: an error that it found after a call, an exceeded
     * limit, or an abort. Empty while it works. Any thread may call this.
     */
    default Optional<MsccljException> failure() {
        return Optional.empty();
    }

    /**
     * Ends all operations in flight. Any thread may call this. The library frees the communicator when no thread is
     * inside a function of the library that uses it.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if the library does not end them in time; then the
     *     communicator is left as it is, and cannot be used either
     */
    void abort();

    /** Waits for operations in flight and frees all resources. Idempotent. */
    @Override
    void close();
}
