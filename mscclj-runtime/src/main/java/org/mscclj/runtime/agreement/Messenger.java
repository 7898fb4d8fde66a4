package org.mscclj.runtime.agreement;

/**
 * Sends the state of a rank in its call of shrink to another rank. Messages to one rank arrive in order, also after the
 * communicator has ended. Sending does not wait for the receiver.
 */
@FunctionalInterface
public interface Messenger {
    /**
     * Sends a state to a rank.
     *
     * @param question the number of the question that the receiver answers with its own state; 0 if the message asks no
     *     question
     * @param answer the number of the question that this message answers; 0 if it answers none
     */
    void tell(int to, Stand stand, long question, long answer);
}
