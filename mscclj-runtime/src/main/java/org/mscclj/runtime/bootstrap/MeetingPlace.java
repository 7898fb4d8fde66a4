package org.mscclj.runtime.bootstrap;

import java.util.Optional;
import org.mscclj.api.UniqueId;

/** Where rank 0 says where it waits, for ranks that do not know it. Closing it takes back what was said. */
interface MeetingPlace extends AutoCloseable {
    /** Publishes address and secret, in place of what an earlier rank 0 may have left. */
    void write(UniqueId id);

    /** What rank 0 has published; empty if it has not yet. May wait a moment for it. */
    Optional<UniqueId> read();

    /** Removes what leads to a rank 0 that is gone, if it can be told from what another has published meanwhile. */
    void abandon(UniqueId id);

    /** Removes what ranks that were killed had begun to publish. */
    void removeUnfinished();

    /** What to look at if rank 0 is not found. */
    String advice();

    @Override
    void close();
}
