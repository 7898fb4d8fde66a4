package org.mscclj.cli.perf.peer;

/** Another library that can run the same collectives. */
public interface Peer extends AutoCloseable {
    /** As tables show it. */
    String name();

    /**
     * Times a call, with as many ranks as the call has.
     *
     * @return nanoseconds of each batch on the slowest rank; nothing if the peer cannot run a call of this size
     * @throws org.mscclj.api.error.BackendException if it fails
     */
    double[] time(PeerCall call);

    /** Removes what it needed. */
    @Override
    void close();
}
