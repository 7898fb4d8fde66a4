package org.mscclj.cli.perf.peer;

import java.time.Duration;

/** A prepared call of a peer, on one rank. */
public interface PeerTimer extends AutoCloseable {
    /**
     * Launches without timing until a time has passed. All ranks must call this.
     *
     * @throws org.mscclj.api.error.BackendException if it fails
     */
    void warmUp(Duration time);

    /**
     * Takes samples of the call. All ranks must call this.
     *
     * @return the nanoseconds of each sample on the slowest rank; valid on rank 0
     * @throws org.mscclj.api.error.BackendException if it fails
     */
    double[] time(int samples);

    /** Releases its resources. All ranks must call this. */
    @Override
    void close();
}
