package org.mscclj.plan;

import java.util.Locale;

/** How two ranks, or a group of ranks, are connected. */
public enum ChannelType {
    /** The peer's memory is mapped; blocks load and store it directly. */
    MEMORY,
    /** A proxy on the host moves the data. */
    PORT,
    /** Multicast: one address reaches all members of a group. */
    SWITCH;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The name used in plan files. */
    public String label() {
        return label;
    }
}
