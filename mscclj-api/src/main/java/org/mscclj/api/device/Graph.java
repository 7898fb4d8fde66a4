package org.mscclj.api.device;

/**
 * Work that was {@linkplain Stream#capture captured}, to be launched as a whole any number of times. Launches of communicators in it advance their
 * flags and counters on the device, so that replays and other launches can alternate freely.
 */
public interface Graph extends AutoCloseable {
    /**
     * Enqueues the whole of it. Does not block. Replays of the same graph run one after the other.
     *
     * @param stream a stream of the device that it was captured on
     */
    void launch(Stream stream);

    /**
     * Frees the graph. What was launched must have ended. Communicators and buffers that it uses should be closed later: replays after their end
     * fail. Idempotent.
     */
    @Override
    void close();
}
