package org.mscclj.runtime.bootstrap;

import java.util.Optional;
import org.mscclj.api.UniqueId;

/**
 * A place where rank 0 publishes its address, for ranks that do not know it. Closing it removes what rank 0 has
 * published.
 */
interface RendezvousPoint extends AutoCloseable {
    /** Publishes address and secret. They replace those that an earlier rank 0 may have left. */
    void write(UniqueId id);

    /**
     * Returns the address and secret that rank 0 has published; empty if it has published none. May wait for them for a
     * short time.
     */
    Optional<UniqueId> read();

    /**
     * Removes the address of a rank 0 that is lost, if it can be distinguished from an address that another rank 0 has
     * published in the meantime.
     */
    void abandon(UniqueId id);

    /** Removes what killed ranks had begun to publish. */
    void removeUnfinished();

    /** Returns what the user should check if rank 0 is not found. */
    String advice();

    @Override
    void close();
}
