package org.mscclj.runtime.process;

import java.util.Map;
import java.util.Set;
import org.mscclj.api.Quorum;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.agreement.Stands;

/**
 * Detects that rank 0 of a quorum, which holds the rendezvous of the members, has ended while this rank waits for the
 * rendezvous. The old connections report this end. Losses from before this rank began to wait do not count: such a
 * member may be alive, and connect anew.
 *
 * @param quorum the quorum
 * @param stands knows which ranks of the old communicator are lost
 * @param before ranks of the old communicator that were lost before
 */
record LostMembers(Quorum quorum, Stands stands, Set<Integer> before) implements Runnable {
    /** Starts the detection. */
    static LostMembers from(Quorum quorum, Stands stands) {
        return new LostMembers(quorum, stands, stands.losses().keySet());
    }

    /** Throws if rank 0 of the quorum has ended. */
    @Override
    public void run() {
        int old = quorum.members().getFirst();
        Map<Integer, String> losses = stands.losses();
        if (losses.containsKey(old) && !before.contains(old)) {
            throw new RankLostException(0, "rank 0 was lost before all members had met there: " + losses.get(old));
        }
    }
}
