package org.mscclj.runtime.control;

import java.util.concurrent.TimeUnit;
import org.mscclj.api.error.RankLostException;

/**
 * A peer that this rank waits for, and that may have closed its communicator. What the peer has sent before may still
 * be on its way, so the peer counts as gone only some time after this rank has heard of the closing. Used by one
 * thread.
 */
public final class ClosedPeer {
    /**
     * Ranks of one node: what a peer has written before it closed is there when word of the closing comes, and this
     * rank only has to notice.
     */
    private static final long SAME_NODE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    /** Data comes over another connection than word of the closing. */
    private static final long OTHER_NODE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ControlPlane control;
    private final int peer;
    private boolean heard;
    private long heardNanos;

    /** A peer of which this rank has heard nothing yet. */
    public ClosedPeer(ControlPlane control, int peer) {
        this.control = control;
        this.peer = peer;
    }

    /**
     * How long what a peer has sent before it closed may still be on its way after this rank has heard of the closing,
     * in nanoseconds.
     */
    public static long patienceNanos(ControlPlane control, int peer) {
        return control.nodes().share(control.rank(), peer) ? SAME_NODE_NANOS : OTHER_NODE_NANOS;
    }

    /**
     * What a wait throws whose peer has closed its communicator.
     *
     * @param what is waited for
     */
    public static RankLostException exception(int peer, String what) {
        return new RankLostException(
                peer,
                "this rank waited for " + what + ": rank " + peer
                        + " has closed its communicator, and sends nothing any more");
    }

    /** Whether nothing more comes from the peer. Does not block. */
    public boolean isGone() {
        if (!control.hasClosed(peer)) {
            return false;
        }
        if (!heard) {
            heard = true;
            heardNanos = System.nanoTime();
        }
        return System.nanoTime() - heardNanos >= patienceNanos(control, peer);
    }
}
