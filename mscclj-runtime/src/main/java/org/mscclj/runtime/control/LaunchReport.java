package org.mscclj.runtime.control;

import java.util.List;

/**
 * The report of a rank about its launches, in answer to a question about one of them.
 *
 * @param launches the number of launches that the rank has made
 * @param completed the number of these launches that have ended
 * @param signature eight bytes that are equal on all ranks whose launches of this number are equal; 0 if the rank has
 *     not made the launch, or does not know
 * @param called a description of the launch in question; empty if the rank has not made it, or does not know
 * @param lastCompleted a description of the launch that ended last; empty if the rank does not know
 * @param messages a description of the point-to-point calls for which the rank waits before it does anything else;
 *     empty if it waits for none
 * @param awaited the ranks at the other ends of these point-to-point calls
 * @param controlCall a description of the {@linkplain OpenCall call} of set-up in which the rank waits for other ranks;
 *     empty if there is none
 * @param callAwaits the ranks that the rank waits for in that call, or has just waited for in vain in its last one
 * @param closed whether the rank has closed its communicator, and so makes no more launches
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

    /** Creates the report of a rank whose communicator is open, and that sets nothing up. */
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

    /** Creates the answer to a question only for the number of launches. */
    public static LaunchReport of(long launches) {
        return new LaunchReport(launches, 0, 0, "", "", "", List.of());
    }

    /** Creates the report of a rank that has closed its communicator: all its launches have ended. */
    static LaunchReport ofClosed(long launches) {
        return new LaunchReport(launches, launches, 0, "", "", "", List.of(), "", List.of(), true);
    }

    /**
     * Returns a copy with the wait of a rank in a call, or with a wait that was in vain.
     *
     * @param call a description of the call; empty if the rank no longer waits
     * @param ranks the ranks that the rank waits for, or has waited for
     */
    public LaunchReport within(String call, List<Integer> ranks) {
        return new LaunchReport(
                launches, completed, signature, called, lastCompleted, messages, awaited, call, ranks, closed);
    }

    /** Returns a description of what the rank has done last, and what it waits for. */
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
