package org.mscclj.runtime.control;

import java.util.concurrent.TimeUnit;
import org.mscclj.api.error.RankLostException;

/**
 * A peer that this rank waits for, and that may have closed its communicator. Data that the peer sent before may still
 * be on its way. The peer therefore counts as gone only some time after this rank has received the notice of its close.
 * Used by one thread.
 */
public final class ClosedPeer {
    /**
     * The delay for ranks of one node. What a peer has written before it closed has arrived when the notice of the
     * close arrives; this rank only has to see it.
     */
    private static final long SAME_NODE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    /** The delay for other nodes. Data arrives over another connection than the notice of the close. */
    private static final long OTHER_NODE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ControlPlane control;
    private final int peer;
    private boolean heard;
    private long heardNanos;

    /** Creates the state of a peer from which no notice has arrived. */
    public ClosedPeer(ControlPlane control, int peer) {
        this.control = control;
        this.peer = peer;
    }

    /**
     * Returns how long data that a peer sent before it closed may still be on its way after this rank has received the
     * notice of the close, in nanoseconds.
     */
    public static long graceNanos(ControlPlane control, int peer) {
        return control.nodes().share(control.rank(), peer) ? SAME_NODE_NANOS : OTHER_NODE_NANOS;
    }

    /**
     * Returns the exception for a wait whose peer has closed its communicator.
     *
     * @param what what the rank waits for
     */
    public static RankLostException exception(int peer, String what) {
        return new RankLostException(
                peer,
                "this rank waited for " + what + ": rank " + peer
                        + " has closed its communicator, and sends nothing any more");
    }

    /** Returns whether nothing more will arrive from the peer. Does not block. */
    public boolean isGone() {
        if (!control.hasClosed(peer)) {
            return false;
        }
        if (!heard) {
            heard = true;
            heardNanos = System.nanoTime();
        }
        return System.nanoTime() - heardNanos >= graceNanos(control, peer);
    }
}
