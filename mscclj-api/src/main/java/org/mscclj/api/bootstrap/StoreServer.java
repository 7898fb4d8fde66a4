package org.mscclj.api.bootstrap;

/** A store that this process keeps in memory and serves to others by TCP, until it is closed. */
public interface StoreServer extends Store {
    /** Where clients find it, with the port that it listens on. */
    StoreAddress address();
}
