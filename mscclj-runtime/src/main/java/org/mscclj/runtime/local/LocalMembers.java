package org.mscclj.runtime.local;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.mscclj.runtime.communicator.Lifetime;
import org.mscclj.runtime.communicator.RuntimeCommunicator;
import org.mscclj.runtime.communicator.SharedLifetime;
import org.mscclj.runtime.control.LocalControlPlane;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.spi.engine.AbortFlag;

/**
 * State that the ranks of one communicator in this JVM share.
 *
 * @param nodes nodes of the ranks
 * @param control control plane between the ranks
 * @param abort abort word of the ranks
 * @param lifetime frees the memory of the ranks
 * @param communicators communicators of the ranks, as far as they have been created
 */
record LocalMembers(
        Nodes nodes,
        LocalControlPlane control,
        AbortFlag abort,
        SharedLifetime lifetime,
        Queue<RuntimeCommunicator> communicators) {
    /**
     * Returns the end of a rank: the other ranks are notified at once, and the memory of all ranks is freed with the
     * last one.
     */
    Lifetime lifetimeOf(int rank) {
        return release -> {
            control.depart(rank);
            lifetime.ofRank(rank).closed(release);
        };
    }

    /** Ends a rank that has no communicator here. Idempotent. */
    void depart(int rank) {
        lifetimeOf(rank).closed(() -> {});
    }

    /** Creates members that call {@code afterwards} when all have closed. */
    static LocalMembers of(Nodes nodes, Duration timeout, Runnable afterwards) {
        AbortFlag abort = new AbortFlag();
        return new LocalMembers(
                nodes,
                new LocalControlPlane(nodes, timeout, abort),
                abort,
                new SharedLifetime(nodes.ofRanks().size(), afterwards),
                new ConcurrentLinkedQueue<>());
    }
}
