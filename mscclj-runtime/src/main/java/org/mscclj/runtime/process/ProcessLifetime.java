package org.mscclj.runtime.process;

import java.time.Duration;
import org.mscclj.runtime.communicator.Lifetime;
import org.mscclj.runtime.mesh.MeshGroup;
import org.mscclj.runtime.transport.RankLinks;

/**
 * The end of a communicator whose peers are processes. What they have mapped the operating system keeps for them, so
 * its memory can be freed at once. What they reach through a transport goes when they have closed too, or after the
 * timeout.
 *
 * @param group tells the peers
 * @param links whether there are transports
 * @param timeout how long peers are waited for
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
