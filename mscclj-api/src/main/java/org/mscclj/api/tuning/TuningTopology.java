package org.mscclj.api.tuning;

import java.util.Locale;

/** How the ranks of a node reach each other, as far as it decides which algorithm is fastest. */
public enum TuningTopology {
    /** All ranks map each other's memory; on GPUs, each rank has one of its own. */
    MAPPED,
    /** As {@link #MAPPED}, and a switch between the GPUs reduces and stores for all of them. */
    SWITCHED,
    /** All ranks map each other's memory, and some of them share a GPU. */
    SHARED,
    /** Some rank cannot map the memory of another one, so that data goes over a transport. */
    UNMAPPED;

    /** Returns the name in files. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}
