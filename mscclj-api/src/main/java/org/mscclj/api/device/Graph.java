package org.mscclj.api.device;

/**
 * Work that was {@linkplain Stream#capture captured}, to be launched as a whole any number of times. Launches of
 * communicators in it advance their flags and counters on the device, so that replays and other launches can alternate
 * freely.
 *
 * <p>A replay is a launch of every communicator that has launches in it. So it is made by the thread that uses these
 * communicators: one thread at a time for each of them, as for their other launches, or ranks would not agree on the
 * order. Graphs that share no communicator may be launched by several threads at once.
 */
public interface Graph extends AutoCloseable {
    /**
     * Enqueues the whole of it. Does not block. Replays of the same graph run one after the other, and the launches of
     * a communicator in it are ordered with the communicator's others.
     *
     * @param stream a stream of the device that it was captured on
     * @throws org.mscclj.api.error.InvalidArgumentException if this graph, the stream or a communicator of which it has
     *     launches is closed
     * @throws org.mscclj.api.error.AbortedException if a communicator of which it has launches is aborted
     */
    void launch(Stream stream);

    /**
     * Frees the graph. What was launched must have ended. Operations that it holds live until then, though they may
     * have been closed before; buffers that it uses cannot be closed before; communicators can, and then its launches
     * are refused. Idempotent.
     */
    @Override
    void close();
}
