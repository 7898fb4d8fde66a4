package org.mscclj.spi.engine;

import java.util.List;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.transfer.RemoteAccess;
import org.mscclj.spi.transfer.TransferSpec;
import org.mscclj.spi.transfer.WindowSpec;

/**
 * A plan on one rank: flags, counters and scratch that persist from launch to launch. Not shared with other plans or
 * communicators.
 */
public interface EngineContext extends AutoCloseable {
    /** Compiles a launch. Expensive; happens once for each size and pair of buffers. */
    PreparedLaunch prepare(LaunchSpec spec);

    /**
     * Makes a batch of messages ready for launches, in a context of {@link org.mscclj.spi.transfer.TransferLanes#plan}.
     * Ranks need not prepare the same batches: what one sends another has to receive, in the same order.
     *
     * @throws UnsupportedException without {@link org.mscclj.spi.Feature#POINT_TO_POINT}
     */
    default PreparedLaunch prepare(TransferSpec spec) {
        throw new UnsupportedException("this backend cannot send messages from rank to rank (POINT_TO_POINT)");
    }

    /**
     * Makes an access to a window's memory on another node ready for launches, in a context of that window's lanes.
     *
     * @throws UnsupportedException if windows of this backend stay within a node
     */
    default PreparedLaunch prepare(RemoteAccess access) {
        throw new UnsupportedException(access
                + ": windows of this backend do not lead to other nodes; send messages, or put the ranks on one node");
    }

    /**
     * Loads what batches of messages need. Called before any rank launches one: preparing a batch later must not wait
     * for launches, not even those of other ranks on the same device, since these may wait for that batch.
     */
    default void readyForTransfers() {}

    /**
     * Tells kernels of users of a window, in a context of its lanes' plan. To be closed before the context.
     *
     * @throws UnsupportedException without {@link org.mscclj.spi.Feature#DEVICE_CHANNELS}
     */
    default DeviceHandle windowHandle(WindowSpec spec) {
        throw new UnsupportedException(
                "this backend has no kernels of users, which could use a window (DEVICE_CHANNELS)");
    }

    /**
     * Tells kernels of users of a window, and has their waits end where nothing comes any more. To be closed before the
     * context. A backend that knows only the method without flags has waits that a peer's closing does not end.
     *
     * @param peerEnds for each rank, what ends waits for its signals, as
     *     {@link org.mscclj.spi.device.MemoryChannelSpec#peerEnd} does; for this rank the communicator's abort word
     * @throws UnsupportedException without {@link org.mscclj.spi.Feature#DEVICE_CHANNELS}
     */
    default DeviceHandle windowHandle(WindowSpec spec, List<AbortFlag> peerEnds) {
        return windowHandle(spec);
    }

    /**
     * Tells whether a launch of this context is at work on this rank, whoever has made it: nobody is told of replays by
     * other software, so this is how they are found that do not end. May call a driver. Asked by any thread, also after
     * {@link #close}.
     *
     * @return 0 if none is, or if nobody can launch but who is told; else a number that changes with each launch, and
     *     may change during one
     */
    default long atWork() {
        return 0;
    }

    /**
     * Makes replays of graphs with launches of this context end at once from now on and change nothing, after waiting
     * for those in flight.
     *
     * @param nanos how long to wait
     * @return false if a replay had not ended by then; to be called again in that case
     */
    default boolean refuseReplays(long nanos) {
        return true;
    }

    /** Frees what the context holds; its launches must have ended. Idempotent. */
    @Override
    void close();
}
