package org.mscclj.runtime.control;

import org.mscclj.runtime.agreement.Messenger;

/**
 * Brings what a rank says to the {@link ControlInbox} of another, in order. Does not wait for the other. Bytes handed
 * over are not changed later.
 */
public interface Delivery extends Messenger {
    /** See {@link ControlInbox#contribute}. */
    void contribute(int to, long number, Topic topic, byte[] bytes);

    /** See {@link ControlInbox#withdraw}. */
    void withdraw(int to, long number);

    /** See {@link ControlInbox#send}. */
    void send(int to, Topic topic, byte[] message);

    /**
     * Asks for the other's {@link LaunchCounts#own}; the answer goes to this rank's {@link LaunchCounts#answered}.
     *
     * @param sequence the launch that it is asked about; 0 if only for their number
     */
    void askLaunches(int to, long question, long sequence);
}
