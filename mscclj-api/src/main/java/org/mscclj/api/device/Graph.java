package org.mscclj.api.device;

/**
 * {@linkplain Stream#capture Captured} work, which is launched as a whole any number of times. Launches of
 * communicators in it advance their flags and counters on the device, so that replays and other launches can alternate
 * freely.
 *
 * <p>A replay is a launch of every communicator that has launches in the graph. So the thread that uses these
 * communicators launches it: one thread at a time for each communicator, as for its other launches, since otherwise
 * ranks would not agree on the order. Graphs that share no communicator may be launched by several threads at once.
 */
public interface Graph extends AutoCloseable {
    /**
     * Enqueues a replay. Does not block. Replays of a graph run one after the other, and the launches of a communicator
     * in it are ordered with the communicator's other launches.
     *
     * @param stream a stream of the device that it was captured on
     * @throws org.mscclj.api.error.InvalidArgumentException if this graph, the stream or a communicator of which it has
     *     launches is closed
     * @throws org.mscclj.api.error.AbortedException if a communicator of which it has launches is aborted
     */
    void launch(Stream stream);

    /**
     * Frees the graph. Its replays must have ended. Operations that the graph holds live until then, even if they were
     * closed before. Buffers that it uses cannot be closed before the graph; communicators can, and then launches of
     * the graph are refused. Idempotent.
     */
    @Override
    void close();
}
