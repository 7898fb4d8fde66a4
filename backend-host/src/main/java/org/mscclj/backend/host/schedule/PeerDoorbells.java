package org.mscclj.backend.host.schedule;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The doorbells of other processes that share memory with this one. */
final class PeerDoorbells {
    private volatile Doorbell[] peers = {};

    int count() {
        return peers.length;
    }

    synchronized void add(Doorbell peer) {
        Doorbell[] more = Arrays.copyOf(peers, peers.length + 1);
        more[peers.length] = peer;
        peers = more;
    }

    /** Undoes {@link #add}. A thread may ring it once more. */
    synchronized void remove(Doorbell peer) {
        List<Doorbell> fewer = new ArrayList<>(List.of(peers));
        fewer.remove(peer);
        peers = fewer.toArray(Doorbell[]::new);
    }

    /** Removes all doorbells: they may be unmapped. */
    synchronized void clear() {
        peers = new Doorbell[0];
    }

    /** Rings all doorbells, after a change of shared memory. Cheap if there are none. */
    void ring() {
        Doorbell[] all = peers;
        if (all.length > 0) {
            VarHandle.fullFence(); // see Doorbell
            for (Doorbell peer : all) {
                peer.ring();
            }
        }
    }
}
