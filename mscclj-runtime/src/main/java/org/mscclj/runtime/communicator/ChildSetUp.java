package org.mscclj.runtime.communicator;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.Waits;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Sets a child up that all its members have agreed on in the parent, as far as this rank knows. Failures name ranks as
 * the caller knows them.
 *
 * @param parent how ranks of the parent talk
 * @param abort the parent's abort word
 * @param members the child's ranks, as ranks of the parent
 * @param names the same ranks as the caller knows them: where the parent is the meeting of a shrink, ranks of the
 *     communicator that is shrunk
 */
record ChildSetUp(ControlPlane parent, AbortFlag abort, List<Integer> members, List<Integer> names) {
    /**
     * Connects a child; it is aborted if the parent is meanwhile. Collective in the child.
     *
     * @param limit until when this rank waits for others
     */
    RuntimeCommunicator connect(RuntimeCommunicator child, RunningDeadline limit) {
        ChildAbort end = new ChildAbort(abort, child.abortFlag(), members);
        abort.whenSet(end);
        try {
            RuntimeCommunicator connected = child.connected(limit);
            if (end.isSpared()) {
                return connected;
            }
            MsccljException ended = child.abortFlag().exception("set communicator " + child.name() + " up");
            Resources.closeSuppressing(List.of(child), ended);
            throw ended;
        } catch (OperationTimeoutException e) {
            throw late(child.name(), e);
        } catch (RankLostException e) {
            throw lostOrGivingUp(child.name(), e);
        } finally {
            abort.forget(end);
        }
    }

    /**
     * A rank that could not set the child up has closed it, and may well be alive: a caller that takes it for lost
     * would leave it out of everything that follows.
     */
    MsccljException lostOrGivingUp(String child, RankLostException e) {
        int rank = members.get(e.rank());
        var _ = parent.ended("set a child up", ControlPlane.LONGEST_ANSWER);
        if (abort.lostRank().equals(OptionalInt.of(rank)) || parent.hasClosed(rank) || !answers(rank)) {
            return new ParentRanks(child, names).told(e);
        }
        return new AbortedException(
                "rank " + names.get(e.rank()) + " is alive, and has given up child \"" + child + "\" over ranks "
                        + names + " while it was set up, after an interrupt or a failure of its own; call again",
                e);
    }

    private boolean answers(int rank) {
        return !parent.reportsOf(List.of(rank), 0, ControlPlane.LONGEST_ANSWER).isEmpty();
    }

    /**
     * If the parent has ended, what ended it: a member has given the child up because of that, and the caller of the
     * parent wants to know which rank is lost.
     */
    MsccljException becauseOfParent(AbortedException e) {
        return parent.ended("set a child up", ControlPlane.LONGEST_ANSWER)
                .map(told -> {
                    told.initCause(e);
                    return told;
                })
                .orElse(e);
    }

    /**
     * Members may still be waiting in the parent, for a rank that has told this one only that it agrees. So a member
     * that waits there is not to blame, but the ranks that it waits for; nor is one that answers there, if others do
     * not.
     */
    OperationTimeoutException late(String child, OperationTimeoutException e) {
        List<Integer> others = IntStream.range(0, parent.size())
                .filter(rank -> rank != parent.rank())
                .boxed()
                .toList();
        Map<Integer, LaunchReport> answers = parent.reportsOf(others, 1, ControlPlane.LONGEST_ANSWER);
        List<Integer> missing = e.missingRanks().stream().map(members::get).toList();
        List<Integer> blamed = new Waits(others, answers).keepWaiting(missing);
        List<Integer> silent =
                blamed.stream().filter(rank -> !answers.containsKey(rank)).toList();
        return new ParentRanks(child, names)
                .told(
                        e,
                        (silent.isEmpty() ? blamed : silent)
                                .stream().map(this::nameOf).toList());
    }

    private int nameOf(int ofParent) {
        return members.contains(ofParent) ? names.get(members.indexOf(ofParent)) : ofParent;
    }
}
