package org.mscclj.conformance.scenario;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;

/** Where the ranks of a group live. */
public enum Mode {
    /** Threads of this process, on one node. */
    THREADS,
    /** Threads of this process, treated as if on several nodes, so that a transport connects the nodes. */
    NODES,
    /** Processes of this host. */
    PROCESSES;

    /**
     * Returns the number of ranks on each node. In mode {@link #NODES} there are three nodes if three divides the
     * number of ranks, else two nodes if two does, else one node for every rank. Thus from four ranks on, a node can
     * have several ranks.
     */
    public int ranksPerNode(int world) {
        if (this != NODES) {
            return world;
        }
        return world % 3 == 0 ? world / 3 : world % 2 == 0 ? world / 2 : 1;
    }

    /** Returns the lower-case name for command lines and reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the mode with this name.
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
