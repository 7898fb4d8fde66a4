package org.mscclj.api.bootstrap;

/** A store that this process keeps in memory and serves to others by TCP, until it is closed. */
public interface StoreServer extends Store {
    /** The address for clients, with the port that the server listens on. */
    StoreAddress address();
}
