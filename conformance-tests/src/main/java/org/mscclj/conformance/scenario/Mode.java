package org.mscclj.conformance.scenario;

import java.util.Arrays;
import java.util.List;
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
    PROCESSES,
    /** Processes, of this host or of others, on as many nodes as in mode {@link #NODES}. */
    PROCESS_NODES;

    /** The modes that a suite checks if its options name none. */
    public static final List<Mode> USUAL = List.of(THREADS, NODES, PROCESSES);

    /** Returns whether ranks are processes of their own. */
    public boolean isOfProcesses() {
        return this == PROCESSES || this == PROCESS_NODES;
    }

    /** Returns whether ranks are treated as if on several nodes. */
    public boolean isOfNodes() {
        return this == NODES || this == PROCESS_NODES;
    }

    /**
     * Returns the number of ranks on each node. In modes {@linkplain #isOfNodes of nodes} there are three nodes if
     * three divides the number of ranks, else two nodes if two does, else one node for every rank. Thus from four ranks
     * on, a node can have several ranks.
     */
    public int ranksPerNode(int world) {
        if (!isOfNodes()) {
            return world;
        }
        return world % 3 == 0 ? world / 3 : world % 2 == 0 ? world / 2 : 1;
    }

    /** Returns the lower-case name for command lines and reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
