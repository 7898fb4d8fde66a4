package org.mscclj.runtime.communicator;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Sets a child up that all its members have agreed on in the parent, as far as this rank knows.
 *
 * @param parent how ranks of the parent talk
 * @param abort the parent's abort word
 * @param members the child's ranks, as ranks of the parent
 * @param names the same ranks as who called knows them: where the parent is the meeting of a shrink, ranks of the communicator that is shrunk
 */
record ChildSetUp(ControlPlane parent, AbortFlag abort, List<Integer> members, List<Integer> names) {
    /** Connects a child; it is aborted if the parent is meanwhile. Collective in the child. */
    RuntimeCommunicator connect(RuntimeCommunicator child) {
        ChildAbort end = new ChildAbort(abort, child.abortFlag(), members);
        abort.whenSet(end);
        try {
            RuntimeCommunicator connected = child.connected();
            if (end.isSpared()) {
                return connected;
            }
            MsccljException ended = child.abortFlag().exception("set communicator " + child.name() + " up");
            Resources.closeSuppressing(List.of(child), ended);
            throw ended;
        } catch (OperationTimeoutException e) {
            throw withoutThoseWhoAnswer(e);
        } catch (RankLostException e) {
            throw lostOrGivingUp(e);
        } finally {
            abort.forget(end);
        }
    }

    /** A rank that could not set the child up has closed it, and may well be alive: who takes it for lost would leave it out of everything that follows. */
    MsccljException lostOrGivingUp(RankLostException e) {
        int rank = members.get(e.rank());
        var _ = parent.ended("set a child up", ControlPlane.LONGEST_ANSWER);
        return abort.lostRank().equals(OptionalInt.of(rank))
                ? e
                : new AbortedException(
                        "rank " + names.get(e.rank()) + " is not lost, but has given up a child over ranks " + names
                                + " while it was set up; call again: " + e.getMessage(),
                        e);
    }

    /** If the parent has ended, what ended it: a member has given the child up because of that, and who calls the parent wants to know which rank is lost. */
    MsccljException becauseOfParent(AbortedException e) {
        return parent.ended("set a child up", ControlPlane.LONGEST_ANSWER)
                .map(told -> {
                    told.initCause(e);
                    return told;
                })
                .orElse(e);
    }

    /** Members may still be waiting in the parent, for a rank that has told this one only that it agrees. So those that answer there are not to blame, if others do not. */
    OperationTimeoutException withoutThoseWhoAnswer(OperationTimeoutException e) {
        List<Integer> asked = e.missingRanks().stream()
                .map(members::get)
                .filter(rank -> rank != parent.rank())
                .toList();
        Map<Integer, LaunchReport> answers = parent.reportsOf(asked, 0, ControlPlane.LONGEST_ANSWER);
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
