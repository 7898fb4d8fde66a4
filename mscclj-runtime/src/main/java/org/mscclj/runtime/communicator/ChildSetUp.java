package org.mscclj.runtime.communicator;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Sets a child up that all its members have agreed on in the parent, as far as this rank knows.
 *
 * @param parent how ranks of the parent talk
 * @param abort the parent's abort word
 * @param members the child's ranks, as ranks of the parent
 */
record ChildSetUp(ControlPlane parent, AbortFlag abort, List<Integer> members) {
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(1);

    /** Connects a child, whose abort word is given; it is aborted if the parent is meanwhile. Collective in the child. */
    RuntimeCommunicator connect(RuntimeCommunicator child, AbortFlag ofChild) {
        ChildAbort end = new ChildAbort(abort, ofChild, members);
        abort.whenSet(end);
        try {
            return child.connected();
        } catch (OperationTimeoutException e) {
            throw withoutThoseWhoAnswer(e);
        } finally {
            abort.forget(end);
        }
    }

    /** Members may still be waiting in the parent, for a rank that has told this one only that it agrees. So those that answer there are not to blame, if others do not. */
    OperationTimeoutException withoutThoseWhoAnswer(OperationTimeoutException e) {
        List<Integer> asked = e.missingRanks().stream()
                .map(members::get)
                .filter(rank -> rank != parent.rank())
                .toList();
        Map<Integer, LaunchReport> answers = parent.reportsOf(asked, 0, LONGEST_ANSWER);
        List<Integer> silent = asked.stream()
                .filter(rank -> !answers.containsKey(rank))
                .map(members::indexOf)
                .sorted()
                .toList();
        return silent.isEmpty() || silent.size() == e.missingRanks().size()
                ? e
                : new OperationTimeoutException(
                        e.getMessage() + "; of these, ranks " + silent + " do not answer", silent);
    }
}
