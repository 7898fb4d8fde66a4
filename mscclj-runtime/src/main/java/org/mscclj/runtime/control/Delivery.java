package org.mscclj.runtime.control;

import org.mscclj.runtime.agreement.Messenger;

/**
 * Delivers what a rank sends to the {@link ControlInbox} of another rank, in order. Does not wait for the receiver. The
 * caller does not change the arrays that it has passed.
 */
public interface Delivery extends Messenger {
    /** See {@link ControlInbox#contribute}. */
    void contribute(int to, long number, Topic topic, Message message);

    /** See {@link ControlInbox#withdraw}. */
    void withdraw(int to, long number);

    /** See {@link ControlInbox#send}. */
    void send(int to, Topic topic, byte[] message);

    /**
     * Asks for the receiver's {@link LaunchCounts#own}. The answer goes to this rank's {@link LaunchCounts#answered}.
     *
     * @param sequence the number of the launch in question; 0 to ask only for the number of launches
     */
    void askLaunches(int to, long question, long sequence);
}
