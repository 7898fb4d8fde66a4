package org.mscclj.cli.tune;

import java.util.Locale;

/** Where the buffers of a call are. */
enum TunedMemory {
    /** Of the communicator: all ranks access each other's buffers. */
    REGISTERED,
    /** Of the device: data goes through scratch. */
    PLAIN;

    /** Returns the name in options and tables. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}
