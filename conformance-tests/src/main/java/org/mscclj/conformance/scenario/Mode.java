package org.mscclj.conformance.scenario;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;

/** Where the ranks of a group live. */
public enum Mode {
    /** Threads of this process, on one node. */
    THREADS,
    /** Threads of this process, treated as if on several nodes, so that a transport joins the nodes. */
    NODES,
    /** Processes of this host. */
    PROCESSES;

    /**
     * Ranks on each node. On several nodes: three nodes where that divides the ranks, else two, else a node for every
     * rank; so that four ranks and more can be on nodes of several.
     */
    public int ranksPerNode(int world) {
        if (this != NODES) {
            return world;
        }
        return world % 3 == 0 ? world / 3 : world % 2 == 0 ? world / 2 : 1;
    }

    /** The lower-case name used on command lines and in reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The mode of the given name.
     *
     * @throws InvalidArgumentException if there is none; the message lists the names
     */
    public static Mode parse(String text) {
        for (Mode mode : values()) {
            if (mode.label().equals(text.toLowerCase(Locale.ROOT))) {
                return mode;
            }
        }
        throw InvalidArgumentException.of(
                "mode",
                text,
                Arrays.stream(values()).map(Mode::label).collect(Collectors.joining(", ", "one of ", "")));
    }

    @Override
    public String toString() {
        return label();
    }
}
