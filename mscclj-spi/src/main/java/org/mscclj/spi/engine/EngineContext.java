package org.mscclj.spi.engine;

import java.util.List;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.transfer.RemoteAccess;
import org.mscclj.spi.transfer.TransferSpec;
import org.mscclj.spi.transfer.WindowSpec;

/**
 * The context of a plan on one rank: flags, counters and scratch that persist from launch to launch. Other plans and
 * communicators do not share it.
 */
public interface EngineContext extends AutoCloseable {
    /** Prepares a launch. Called once for each size and pair of buffers. */
    PreparedLaunch prepare(LaunchSpec spec);

    /**
     * Loads what launches of any size on any buffers need that have the type, the operation and the packets of a given
     * launch. Called before any rank launches one of them: each rank prepares later launches when it wants to, so that
     * {@link #prepare(LaunchSpec)} must not wait for launches then, not even for launches of other ranks on this
     * device, since these may wait for this rank. An engine whose {@code prepare} never waits for the device needs
     * nothing here.
     */
    default void readyForSizes(LaunchSpec spec) {}

    /**
     * Prepares a batch of sends and receives for launches, in a context of
     * {@link org.mscclj.spi.transfer.TransferLanes#plan}. Ranks need not prepare equal batches, but a peer must receive
     * what a rank sends it, in the order in which it is sent.
     *
     * @throws UnsupportedException without {@link org.mscclj.spi.Feature#POINT_TO_POINT}
     */
    default PreparedLaunch prepare(TransferSpec spec) {
        throw new UnsupportedException("this backend cannot send messages from rank to rank (POINT_TO_POINT)");
    }

    /**
     * Prepares an access to a window's memory on another node for launches, in a context of that window's lanes.
     *
     * @throws UnsupportedException if windows of this backend stay within a node
     */
    default PreparedLaunch prepare(RemoteAccess access) {
        throw new UnsupportedException(access
                + ": windows of this backend do not lead to other nodes; send messages, or put the ranks on one node");
    }

    /**
     * Loads the kernels and resources of batches of sends and receives. Called before any rank launches a batch:
     * preparing a batch later must not wait for launches, not even for launches of other ranks on this device, since
     * these may wait for that batch.
     */
    default void readyForTransfers() {}

    /**
     * Creates the handle of a window for the application's kernels, in a context of its lanes' plan. Close it before
     * the context.
     *
     * @throws UnsupportedException without {@link org.mscclj.spi.Feature#DEVICE_CHANNELS}
     */
    default DeviceHandle windowHandle(WindowSpec spec) {
        throw new UnsupportedException(
                "this backend has no kernels of users, which could use a window (DEVICE_CHANNELS)");
    }

    /**
     * Creates the handle of a window for the application's kernels, whose waits end where a peer sends nothing more.
     * Close it before the context. In a backend that implements only the method without flags, closing a peer does not
     * end waits.
     *
     * @param peerEnds for each rank, the flag that ends waits for its signals, as
     *     {@link org.mscclj.spi.device.MemoryChannelSpec#peerEnd} does; for this rank the communicator's abort word
     * @throws UnsupportedException without {@link org.mscclj.spi.Feature#DEVICE_CHANNELS}
     */
    default DeviceHandle windowHandle(WindowSpec spec, List<AbortFlag> peerEnds) {
        return windowHandle(spec);
    }

    /**
     * Whether a launch of this context runs on this rank, including replays by other software: the runtime is not
     * notified of those, and detects by this method that one of them does not end. May call a driver. Any thread may
     * call it, also after {@link #close}.
     *
     * @return 0 if no launch runs, or if the runtime is notified of all launches; else a number that changes with each
     *     launch, and may change during one
     */
    default long atWork() {
        return 0;
    }

    /**
     * Makes replays of graphs with launches of this context end at once, without any effect, from now on; waits for
     * replays in flight.
     *
     * @param nanos the longest time to wait
     * @return false if a replay had not ended by then; call again in that case
     */
    default boolean refuseReplays(long nanos) {
        return true;
    }

    /** Frees the resources of the context; its launches must have ended. Idempotent. */
    @Override
    void close();
}
