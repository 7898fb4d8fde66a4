package org.mscclj.cli.perf.peer;

/** A peer's call that is ready to be timed, on one rank. */
public interface PeerTimer extends AutoCloseable {
    /**
     * Times it. Collective.
     *
     * @return nanoseconds of each batch on the slowest rank, at least on rank 0
     * @throws org.mscclj.api.error.BackendException if it fails
     */
    double[] time(int batches);

    /** Frees what it needed. Collective. */
    @Override
    void close();
}
