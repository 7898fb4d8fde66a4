package org.mscclj.cli.perf.peer;

/** A prepared call of a peer, on one rank. */
public interface PeerTimer extends AutoCloseable {
    /**
     * Times the call. All ranks must call this.
     *
     * @return the nanoseconds of each batch on the slowest rank; valid on rank 0
     * @throws org.mscclj.api.error.BackendException if it fails
     */
    double[] time(int batches);

    /** Releases its resources. All ranks must call this. */
    @Override
    void close();
}
