package org.mscclj.runtime.control;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.runtime.thread.ControlThreads;
import org.mscclj.spi.engine.AbortFlag;

/**
 * The flags that end this rank's waits for its peers on its device, made as they are asked for. A peer's flag is set
 * some time after this rank has heard that the peer has closed its communicator, as {@link ClosedPeer} tells of waits
 * of the host. Safe for use by several threads.
 */
final class PeerEnds {
    private final ControlPlane control;
    private final ControlInbox inbox;
    private final AbortFlag abort;
    private final ConcurrentMap<Integer, AbortFlag> flags = new ConcurrentHashMap<>();

    /**
     * Flags of a rank.
     *
     * @param inbox hears of closings
     * @param abort the communicator's, which all of them follow
     */
    PeerEnds(ControlPlane control, ControlInbox inbox, AbortFlag abort) {
        this.control = control;
        this.inbox = inbox;
        this.abort = abort;
    }

    /** The flag of a peer. */
    AbortFlag of(int peer) {
        return flags.computeIfAbsent(peer, this::open);
    }

    private AbortFlag open(int peer) {
        AbortFlag flag = abort.follower();
        inbox.whenDeparted(
                peer,
                () -> ControlThreads.executeLater(
                        () -> flag.lose(peer, "rank " + peer + " has closed its communicator"),
                        ClosedPeer.patienceNanos(control, peer)));
        return flag;
    }
}
