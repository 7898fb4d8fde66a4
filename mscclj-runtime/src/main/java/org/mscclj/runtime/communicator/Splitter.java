package org.mscclj.runtime.communicator;

import java.util.List;

/** Creates communicators of some of the ranks of another communicator. */
@FunctionalInterface
public interface Splitter {
    /**
     * Creates this rank's communicator of a child, which is not {@linkplain RuntimeCommunicator#connect connected} yet.
     * Waits for no other rank.
     *
     * @param members the child's ranks in the parent, in the child's order; all of them have agreed on the list
     * @param name the child's name
     * @param number distinguishes the splits of the parent; equal on all members
     * @param rank this rank in the parent
     */
    RuntimeCommunicator child(List<Integer> members, String name, long number, int rank);
}
