package org.mscclj.runtime.process;

import java.time.Duration;
import org.mscclj.runtime.communicator.Lifetime;
import org.mscclj.runtime.mesh.MeshGroup;
import org.mscclj.runtime.transport.RankLinks;

/**
 * The end of a communicator whose peers are processes. The operating system keeps memory that peers have mapped, so
 * this rank can free its memory at once. Memory that peers reach through a transport is freed when they have closed
 * too, or after the timeout.
 *
 * @param group notifies the peers
 * @param links records whether transports are used
 * @param timeout maximum time to wait for peers
 * @param afterwards called when the memory is freed
 */
record ProcessLifetime(MeshGroup group, RankLinks links, Duration timeout, Runnable afterwards) implements Lifetime {
    @Override
    public void closed(Runnable release) {
        group.depart();
        if (links.areUsed()) {
            group.awaitDepartures(timeout);
        }
        try {
            release.run();
        } finally {
            afterwards.run();
        }
    }
}
