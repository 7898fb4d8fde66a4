package org.mscclj.runtime.agreement;

/**
 * Brings what a rank says of its call of shrink to another rank, in order, whatever has become of the communicator.
 * Does not wait for the other.
 */
@FunctionalInterface
public interface Messenger {
    /**
     * Tells a rank.
     *
     * @param question the number of the question that the other answers by its own stand; 0 if it is asked nothing
     * @param answer the number of the question that this answers; 0 if it answers none
     */
    void tell(int to, Stand stand, long question, long answer);
}
