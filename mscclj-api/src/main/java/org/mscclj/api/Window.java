package org.mscclj.api;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;

/**
 * Memory of each rank that the other ranks access without action by its owner. {@link Communicator#openWindow} opens a
 * window, on all ranks together.
 *
 * <p><b>Order.</b> Accesses and signals are launches of this rank on its communicator, and run in the order in which
 * they are made, with its other launches. A put has ended when its bytes are in the target's memory: that end is its
 * flush, and there is no other flush; the order of launches is the fence between accesses. The target may read the
 * bytes in every launch after a {@link #waitSignal} that took a {@link #signal} which the putting rank launched after
 * the put; on the host, it may read them when that wait has been joined. A barrier orders like a signal, if the putting
 * rank has joined its put before the barrier. Conversely memory may be written again when a signal confirms that it was
 * read. If several ranks access the same bytes, at least one of them by a write, and no signal orders the accesses, the
 * bytes read and the final content are undefined.
 *
 * <p><b>Between nodes</b> accesses and signals go through a transport, with the same order; only {@link #mapRemote} is
 * limited to a node, and on GPUs all accesses and signals are. The process of the rank whose memory is accessed answers
 * independently of the application's threads; if it does not answer, a timeout names the rank.
 *
 * <p><b>Signals</b> are counted, for each window and ordered pair of ranks: none is lost, any number may be in flight,
 * and each ends one wait.
 *
 * <p>One thread at a time may call a window, as for the communicator.
 */
public interface Window extends AutoCloseable {
    /** This rank's memory. It cannot be closed while the window is open. */
    DeviceBuffer memory();

    /** Size of a rank's memory, in bytes; ranks may differ. */
    long byteSize(int rank);

    /** {@link #execute(WindowCall, Stream)} on the communicator's stream. */
    Work execute(WindowCall call);

    /**
     * Launches an access or a signal on a stream. The buffer can be closed when the work has ended, and the stream when
     * this method has returned.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if there is no such rank, if the range is not inside its
     *     memory, if a rank signals itself, or if the buffer overlaps the range without being exactly that range
     * @throws UnsupportedException if memory is accessed that this rank does not reach: on GPUs, memory of a rank on
     *     another node
     */
    Work execute(WindowCall call, Stream stream);

    /**
     * Prepares an access or a signal for any number of launches, also into graphs; launches allocate nothing. The
     * buffer cannot be closed until the operation is closed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException as {@link #execute}
     * @throws UnsupportedException as {@link #execute}
     */
    PreparedOperation prepare(WindowCall call);

    /** {@link #execute} of {@link WindowCall#put}. */
    default Work put(DeviceBuffer source, int rank, long offset) {
        return execute(WindowCall.put(source, rank, offset));
    }

    /** {@link #execute} of {@link WindowCall#get}. */
    default Work get(int rank, long offset, DeviceBuffer target) {
        return execute(WindowCall.get(rank, offset, target));
    }

    /** {@link #execute} of {@link WindowCall#signal}. */
    default Work signal(int rank) {
        return execute(WindowCall.signal(rank));
    }

    /** {@link #execute} of {@link WindowCall#waitSignal}. */
    default Work waitSignal(int rank) {
        return execute(WindowCall.waitSignal(rank));
    }

    /**
     * The memory of a rank as mapped by this rank's device: for copies and operations, and by its address for the
     * application's kernels. For this rank itself, it is {@link #memory}. The buffer belongs to the window, and ends
     * with it: closing the buffer does nothing, and the window cannot be closed while anything but the window's own
     * operations uses the buffer. Peers cannot map it in turn.
     *
     * @throws UnsupportedException if this rank cannot map the memory, for example of a rank on another node, or if the
     *     rank has none
     */
    DeviceBuffer mapRemote(int rank);

    /**
     * The handle by which the application's kernels access the window: the address, on this rank's device, of a
     * {@code mscclj::Window} of the device library's {@code window.cuh}. The handle belongs to the window; kernels that
     * use it must have ended before the window is closed. The first call allocates device memory, so make it before any
     * kernel is launched that waits for this rank.
     *
     * @throws UnsupportedException if the backend does not run the application's kernels ({@code DEVICE_CHANNELS}),
     *     such as the host backend
     */
    default long deviceHandle() {
        throw new UnsupportedException(
                "there are no kernels of users here, which could use a window (DEVICE_CHANNELS)");
    }

    /**
     * Throws the reason why kernels' waits for signals of a rank have ended without a signal; returns if there is no
     * such reason. Call this method after such a wait has returned {@code false}. Signals that the rank sent before it
     * closed its communicator are still received. Does not block.
     *
     * @param rank another rank
     * @throws org.mscclj.api.error.RankLostException if that rank has closed its communicator, which does not abort
     *     this one; or if the communicator has lost a rank
     * @throws org.mscclj.api.error.AbortedException if the communicator is aborted
     * @throws org.mscclj.api.error.InvalidArgumentException if there is no such rank, or if it is this one
     * @throws UnsupportedException if the window does not observe its ranks
     */
    default void checkWaits(int rank) {
        throw new UnsupportedException("this window does not know what rank " + rank
                + " does; make a collective call of the communicator, which throws if the rank has closed it");
    }

    /**
     * Closes the window. Collective: waits for this rank's launches and then for all ranks, so that no rank accesses
     * memory whose owner has closed the window; after an abort or a loss it does not wait. It also closes the window's
     * prepared operations. Idempotent.
     *
     * <p>Memory from {@link #mapRemote} stays mapped as long as a use lasts that began before the window was closed
     * after an abort, or before its communicator was closed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException on all ranks, if on one of them an operation, a copy, a
     *     graph or a holder uses memory from {@link #mapRemote}; the window stays open then, and all ranks close it
     *     again when that use has ended
     */
    @Override
    void close();
}
