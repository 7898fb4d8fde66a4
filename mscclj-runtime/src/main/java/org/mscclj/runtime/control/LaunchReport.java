package org.mscclj.runtime.control;

import java.util.List;

/**
 * What a rank says about its launches when it is asked about one of them.
 *
 * @param launches how many it has made
 * @param completed how many of them have ended
 * @param signature eight bytes that are equal on all ranks whose launch of this number is the same; 0 if it has not
 *     made it, or does not know
 * @param called what the launch was that it is asked about, in words; empty if it has not made it, or does not know
 * @param lastCompleted what the launch was that ended last, in words; empty if it does not know
 * @param messages what the messages are that it waits for before it does anything else, in words; empty if it waits for
 *     none
 * @param awaited the ranks at the other ends of those messages
 * @param controlCall the {@linkplain OpenCall call} in which it waits for others to set something up, in words; empty
 *     if there is none
 * @param callAwaits the ranks that it waits for in that call, or has just waited for in vain in its last one
 * @param closed whether it has closed its communicator, and so makes no more launches
 */
public record LaunchReport(
        long launches,
        long completed,
        long signature,
        String called,
        String lastCompleted,
        String messages,
        List<Integer> awaited,
        String controlCall,
        List<Integer> callAwaits,
        boolean closed) {
    /** Copies the lists. */
    public LaunchReport {
        awaited = List.copyOf(awaited);
        callAwaits = List.copyOf(callAwaits);
    }

    /** Of a rank whose communicator is open, and that sets nothing up. */
    public LaunchReport(
            long launches,
            long completed,
            long signature,
            String called,
            String lastCompleted,
            String messages,
            List<Integer> awaited) {
        this(launches, completed, signature, called, lastCompleted, messages, awaited, "", List.of(), false);
    }

    /** Of a rank that was asked for nothing but the number of its launches. */
    public static LaunchReport of(long launches) {
        return new LaunchReport(launches, 0, 0, "", "", "", List.of());
    }

    /** Of a rank that has closed its communicator: all its launches have ended. */
    static LaunchReport ofClosed(long launches) {
        return new LaunchReport(launches, launches, 0, "", "", "", List.of(), "", List.of(), true);
    }

    /**
     * The same of a rank that waits in a call, or has waited in one in vain.
     *
     * @param call the call, in words; empty if the rank waits no more
     * @param ranks the ranks that it waits for, or has waited for
     */
    public LaunchReport within(String call, List<Integer> ranks) {
        return new LaunchReport(
                launches, completed, signature, called, lastCompleted, messages, awaited, call, ranks, closed);
    }

    /** What the rank has done last, and what it waits for, in words. */
    public String doing() {
        String done;
        if (closed) {
            done = "has closed its communicator after " + launches + " launches of all ranks";
        } else if (completed == 0) {
            done = "has completed nothing";
        } else if (lastCompleted.isEmpty()) {
            done = "last completed #" + completed;
        } else {
            done = "last completed #" + completed + ", " + lastCompleted;
        }
        return done
                + (launches > completed ? ", last called #" + launches : "")
                + (messages.isEmpty() ? "" : ", waits in messages (" + messages + ")")
                + (controlCall.isEmpty() ? "" : ", waits for other ranks (" + controlCall + ")");
    }
}
