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
 * Sets up a child on which all its members have agreed in the parent, as far as this rank knows. Failures name ranks as
 * the caller knows them.
 *
 * @param parent the control plane of the parent
 * @param abort the parent's abort word
 * @param members the child's ranks, as ranks of the parent
 * @param names these ranks as the caller knows them: if the parent is the meeting of a shrink, ranks of the
 *     communicator that is shrunk
 */
record ChildSetUp(ControlPlane parent, AbortFlag abort, List<Integer> members, List<Integer> names) {
    /**
     * Connects a child. If the parent is aborted meanwhile, the child is aborted too. Collective in the child.
     *
     * @param limit the end of this rank's waits for other ranks
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
     * Returns the exception for a lost rank of the child. A rank that could not set up the child has closed it, and may
     * well be alive. A caller that takes such a rank for lost would exclude it from all later communicators.
     */
    MsccljException lostOrGivingUp(String child, RankLostException e) {
        int rank = members.get(e.rank());
        var _ = parent.ended("set a child up", ControlPlane.MAX_ANSWER);
        if (abort.lostRank().equals(OptionalInt.of(rank)) || parent.hasClosed(rank) || !answers(rank)) {
            return new ParentRanks(child, names).told(e);
        }
        return new AbortedException(
                "rank " + names.get(e.rank()) + " is alive, and has given up child \"" + child + "\" over ranks "
                        + names + " while it was set up, after an interrupt or a failure of its own; call again",
                e);
    }

    private boolean answers(int rank) {
        return !parent.reportsOf(List.of(rank), 0, ControlPlane.MAX_ANSWER).isEmpty();
    }

    /**
     * Returns the exception that ended the parent, if the parent has ended: a member has given up the child for that
     * reason, and the caller of the parent needs to know which rank is lost.
     */
    MsccljException becauseOfParent(AbortedException e) {
        return parent.ended("set a child up", ControlPlane.MAX_ANSWER)
                .map(told -> {
                    told.initCause(e);
                    return told;
                })
                .orElse(e);
    }

    /**
     * Returns the exception for a timeout. Members may still wait in the parent for a rank that has sent only to this
     * rank that it agrees. A member that waits in the parent is therefore not to blame; the ranks that it waits for
     * are. Nor is a rank to blame that answers in the parent, if other ranks do not answer.
     */
    OperationTimeoutException late(String child, OperationTimeoutException e) {
        List<Integer> others = IntStream.range(0, parent.size())
                .filter(rank -> rank != parent.rank())
                .boxed()
                .toList();
        Map<Integer, LaunchReport> answers = parent.reportsOf(others, 1, ControlPlane.MAX_ANSWER);
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
