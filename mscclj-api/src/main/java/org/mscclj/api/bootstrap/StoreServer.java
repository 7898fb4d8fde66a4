package org.mscclj.api.bootstrap;

import org.mscclj.api.Platform;

/** A store that this process keeps in memory and serves to others by TCP, until it is closed. */
public interface StoreServer extends Store {
    /**
     * Starts to serve. Clients prove that they know the secret before anything they say is believed, and so does the server.
     *
     * @param address where; if the port is any, the operating system chooses one
     * @throws org.mscclj.api.error.UnsupportedException if no port is free
     */
    static StoreServer open(StoreAddress address) {
        return Platform.instance().serveStore(address);
    }

    /** Where clients find it, with the port that it listens on. */
    StoreAddress address();
}
