package org.mscclj.runtime.communicator;

import java.util.List;

/** Makes communicators of some of the ranks of another. */
@FunctionalInterface
public interface Splitter {
    /**
     * This rank's communicator of a child, which is not {@linkplain RuntimeCommunicator#connect connected} yet. Waits
     * for nobody.
     *
     * @param members the child's ranks in the parent, in the child's order; agreed by all of them
     * @param name the child's name
     * @param number tells the parent's splits apart; equal on all members
     * @param rank this rank in the parent
     */
    RuntimeCommunicator child(List<Integer> members, String name, long number, int rank);
}
