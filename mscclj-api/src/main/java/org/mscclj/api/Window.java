package org.mscclj.api;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;

/**
 * Memory of each rank that the others access without its taking part; {@link Communicator#openWindow} makes one, on all
 * ranks together.
 *
 * <p><b>Order.</b> Accesses and signals are launches of this rank on its communicator, and run in the order in which
 * they are made, with its other launches. A put has ended when its bytes are in the target's memory: that end is its
 * flush, and there is no other, and the order of launches is the fence between them. The target may read them in
 * whatever it launches after a {@link #waitSignal} that took a {@link #signal} which the putting rank launched after
 * the put; on the host, when that wait has been joined. A barrier does as well as a signal, if the putting rank has
 * joined its put before it. Conversely memory may be written again when a signal says that it was read. Between
 * accesses of the same bytes by several ranks that no signal orders, one of them a write, what is read and what remains
 * is undefined.
 *
 * <p><b>Between nodes</b> accesses and signals go through a transport, with the same order; only {@link #mapRemote}
 * stays within a node, and on GPUs all of them do. The process of the rank whose memory is accessed answers, whatever
 * its threads do; if it does not, a timeout names the rank.
 *
 * <p><b>Signals</b> are counted, for each window and ordered pair of ranks: none is lost, any number may be under way,
 * and each ends one wait.
 *
 * <p>Calls are made by one thread at a time, as those of the communicator.
 */
public interface Window extends AutoCloseable {
    /** This rank's memory. It cannot be closed while the window is open. */
    DeviceBuffer memory();

    /** Size of a rank's memory, in bytes; ranks may differ. */
    long byteSize(int rank);

    /**
     * Launches an access or a signal on the communicator's stream. The buffer can be closed when the work has ended.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if there is no such rank, if the range is not inside its
     *     memory, if a rank signals itself, or if the buffer overlaps the range and is not the range
     * @throws UnsupportedException if memory is accessed that this rank does not reach: on GPUs, that of a rank on
     *     another node
     */
    Work execute(WindowCall call);

    /**
     * Makes an access or a signal ready for any number of launches, which allocate nothing; into graphs, too. Until it
     * is closed, its buffer cannot be.
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
     * The memory of a rank as this rank's device sees it: for copies and operations, and by its address for kernels of
     * users. For the own rank, {@link #memory}. Belongs to the window, and ends with it: closing the buffer does
     * nothing, and while something else than the window's own operations uses it, the window cannot be closed. Peers
     * cannot map it in turn.
     *
     * @throws UnsupportedException if this rank cannot map the memory, as that of a rank on another node, or if there
     *     is none
     */
    DeviceBuffer mapRemote(int rank);

    /**
     * What kernels of users are given to access the window: the address, on this rank's device, of a
     * {@code mscclj::Window} of the device library's {@code window.cuh}. Belongs to the window; kernels that use it
     * must have ended before that is closed. The first call takes memory of the device, so it comes before any kernel
     * is launched that waits for this rank.
     *
     * @throws UnsupportedException if the backend has no kernels of users ({@code DEVICE_CHANNELS}), as the CPU's
     */
    default long deviceHandle() {
        throw new UnsupportedException(
                "there are no kernels of users here, which could use a window (DEVICE_CHANNELS)");
    }

    /**
     * Throws why waits of kernels for signals of a rank end without a signal; returns while nothing ends them. To be
     * called when such a wait has given {@code false}. What the rank has signalled before it closed its communicator is
     * received nevertheless. Does not block.
     *
     * @param rank another rank
     * @throws org.mscclj.api.error.RankLostException if that rank has closed its communicator, which is not aborted by
     *     that; or if the communicator has lost a rank
     * @throws org.mscclj.api.error.AbortedException if the communicator is aborted
     * @throws org.mscclj.api.error.InvalidArgumentException if there is no such rank, or if it is this one
     * @throws UnsupportedException if the window does not know what its ranks do
     */
    default void checkWaits(int rank) {
        throw new UnsupportedException("this window does not know what rank " + rank
                + " does; make a collective call of the communicator, which throws if the rank has closed it");
    }

    /**
     * Ends the window. Collective: waits for this rank's launches and then for all ranks, so that nobody accesses
     * memory which its owner takes back; after an abort or a loss it waits for nobody. Operations that were prepared
     * are closed, too. Idempotent.
     *
     * <p>What {@link #mapRemote} has given stays mapped as long as something uses it that was begun before the window,
     * after an abort, or its communicator was closed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException on all ranks, if on one of them an operation, a copy, a
     *     graph or a holder uses what {@link #mapRemote} has given; nothing has happened then, and all ranks close the
     *     window again when that has ended
     */
    @Override
    void close();
}
