package org.mscclj.runtime.control;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.runtime.thread.ControlThreads;
import org.mscclj.spi.engine.AbortFlag;

/**
 * The flags that end this rank's waits for its peers on its device. A flag is created when it is first requested. A
 * peer's flag is set some time after this rank has received the notice that the peer has closed its communicator, with
 * the delay that {@link ClosedPeer} uses for waits of the host. Safe for use by several threads.
 */
final class PeerEnds {
    private final ControlPlane control;
    private final ControlInbox inbox;
    private final AbortFlag abort;
    private final ConcurrentMap<Integer, AbortFlag> flags = new ConcurrentHashMap<>();

    /**
     * Creates the flags of a rank.
     *
     * @param inbox receives the notices of closes
     * @param abort the communicator's abort word, which all flags follow
     */
    PeerEnds(ControlPlane control, ControlInbox inbox, AbortFlag abort) {
        this.control = control;
        this.inbox = inbox;
        this.abort = abort;
    }

    /** Returns the flag of a peer. */
    AbortFlag of(int peer) {
        return flags.computeIfAbsent(peer, this::open);
    }

    private AbortFlag open(int peer) {
        AbortFlag flag = abort.follower();
        inbox.whenDeparted(
                peer,
                () -> ControlThreads.executeLater(
                        () -> flag.lose(peer, "rank " + peer + " has closed its communicator"),
                        ClosedPeer.graceNanos(control, peer)));
        return flag;
    }
}
