package org.mscclj.runtime.process;

import java.util.Map;
import java.util.Set;
import org.mscclj.api.Quorum;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.agreement.Stands;

/**
 * Whether rank 0 of a quorum, where its members meet, has ended while this rank waits for it there. The old connections
 * tell. What was lost before this rank came counts for nothing: such a member may be alive, and come over connections
 * of its own.
 *
 * @param quorum the quorum
 * @param stands knows which ranks of the old communicator are lost
 * @param before ranks of the old communicator that were lost before
 */
record LostMembers(Quorum quorum, Stands stands, Set<Integer> before) implements Runnable {
    /** Looks from now on. */
    static LostMembers from(Quorum quorum, Stands stands) {
        return new LostMembers(quorum, stands, stands.losses().keySet());
    }

    /** Throws if it has. */
    @Override
    public void run() {
        int old = quorum.members().getFirst();
        Map<Integer, String> losses = stands.losses();
        if (losses.containsKey(old) && !before.contains(old)) {
            throw new RankLostException(0, "rank 0 was lost before all members had met there: " + losses.get(old));
        }
    }
}
