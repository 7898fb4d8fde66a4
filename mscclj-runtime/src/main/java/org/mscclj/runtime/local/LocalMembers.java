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
 * What the ranks of one communicator in this JVM share.
 *
 * @param nodes where they are
 * @param control how they talk
 * @param abort their abort word
 * @param lifetime when their memory is freed
 * @param communicators theirs, as far as they have been made
 */
record LocalMembers(
        Nodes nodes,
        LocalControlPlane control,
        AbortFlag abort,
        SharedLifetime lifetime,
        Queue<RuntimeCommunicator> communicators) {
    /** The end of a rank: the others hear of it at once, and the memory of all is freed with the last. */
    Lifetime lifetimeOf(int rank) {
        return release -> {
            control.depart(rank);
            lifetime.ofRank(rank).closed(release);
        };
    }

    /** The end of a rank that has no communicator here; once more, it changes nothing. */
    void depart(int rank) {
        lifetimeOf(rank).closed(() -> {});
    }

    /** Members that call {@code afterwards} when all have closed. */
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
