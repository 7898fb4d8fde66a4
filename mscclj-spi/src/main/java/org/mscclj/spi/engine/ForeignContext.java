package org.mscclj.spi.engine;

/** The launches of another library's work on one rank. */
public interface ForeignContext extends AutoCloseable {
    /**
     * Prepares a launch. Every rank of the communicator makes it.
     *
     * @param work the work of each launch
     */
    PreparedLaunch prepare(ForeignWork work);

    /**
     * Makes replays of graphs with launches of this context fail from now on, and waits for replays in flight. Replays
     * by other software cannot be refused: what they need is kept.
     *
     * @param nanos the longest time to wait
     * @return false if a replay had not ended by then; call again in that case
     */
    boolean refuseReplays(long nanos);

    /** Frees the resources of the context; its launches must have ended. Idempotent. */
    @Override
    void close();
}
