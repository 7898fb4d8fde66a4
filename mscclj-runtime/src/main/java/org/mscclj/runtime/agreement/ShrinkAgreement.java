package org.mscclj.runtime.agreement;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.spi.engine.AbortFlag;

/**
 * The agreement of the ranks on one call of shrink. It ensures that two groups never form:
 *
 * <ul>
 *   <li>A rank sends its list of excluded ranks to all other ranks, the excluded ones too, and asks them for an answer.
 *       It is ready only when two conditions hold: all remaining ranks have called with an equal list; and each
 *       excluded rank has answered, is lost, has closed, or is silent for a second. Of two ranks that exclude each
 *       other and can reach each other, one receives the state of the other before it is ready: each answers after it
 *       has recorded the question, and the answer contains whether the answering rank is ready. If neither is ready,
 *       each knows the list of the other, and both decide alike: the larger group has precedence; of groups of equal
 *       size, the one with the lowest rank. The call of a rank of the other group is refused. A rank of the group with
 *       precedence that hears of a ready rank of the other group waits until that group has formed, and this call is
 *       refused, or until that group has given up. So one group goes on at the first call of its ranks: a group with
 *       precedence is refused only if the other one has formed. Only a rank that is not ready waits for another group,
 *       and only for one after its own, so that no two groups wait for each other.
 *   <li>When a rank has set up its part of the new communicator, it sends that it is prepared, and goes on only when
 *       all remaining ranks have sent it. A rank that gives up after it was prepared first sends that it leaves, and
 *       asks the other ranks. If one of them has gone on, this rank goes on, too. An answer from a rank that has not
 *       gone on means that the answering rank will not go on either, because it has recorded the leaving before it
 *       answered.
 * </ul>
 *
 * <p>Used by one thread.
 */
public final class ShrinkAgreement {
    private final ShrinkCall call;
    private final Stands stands;
    private final MeetPhase meeting;
    private final ConfirmPhase confirmation;
    private boolean hasMet;

    /**
     * Creates the agreement for a call.
     *
     * @param what the call, for messages
     * @param excluded the ranks that the call excludes, ascending
     * @param left the remaining ranks, ascending; the calling rank is among them
     * @param deadline the end of the waits for other ranks; used by the calling thread alone
     * @param longestAnswer the limit of a wait for answers
     * @param silent returns those of some ranks that do not answer; may wait for up to {@code longestAnswer}
     */
    public ShrinkAgreement(
            Stands stands,
            String what,
            List<Integer> excluded,
            List<Integer> left,
            RunningDeadline deadline,
            Duration longestAnswer,
            UnaryOperator<List<Integer>> silent) {
        this.call = new ShrinkCall(stands, what, excluded, left, deadline, longestAnswer, silent);
        this.stands = stands;
        this.meeting = new MeetPhase(call);
        this.confirmation = new ConfirmPhase(call);
    }

    /**
     * Waits until all remaining ranks have called with an equal list.
     *
     * @return the number of this attempt, equal on all ranks; another attempt of these ranks has another number
     * @throws InvalidArgumentException if the lists differ, or other ranks go on without this rank
     * @throws OperationTimeoutException if ranks do not call in time; names them
     * @throws RankLostException if a remaining rank is lost, or has closed its communicator
     */
    public long meet() {
        hasMet = false;
        try {
            long attempt = meeting.meet();
            hasMet = true;
            return attempt;
        } catch (RuntimeException | Error e) {
            giveUp();
            throw e;
        }
    }

    /**
     * Ends the new communicator as soon as a rank gives up, while this rank sets it up. A thread that delivers a state
     * may be slow, and check when this rank is in a later phase: that check changes nothing.
     *
     * @param successor the abort word of the new communicator
     */
    public void watch(AbortFlag successor) {
        Runnable look = () -> {
            Optional<Integer> first;
            synchronized (stands) {
                if (stands.own().phase() != Stand.Phase.READY) {
                    return;
                }
                List<Long> attempt = stands.own().calls();
                // The new communicator learns by itself of lost ranks, and of ranks that had begun to set it up.
                first = call.gone().stream()
                        .filter(each ->
                                stands.isThere(each) && !stands.of(each).quit().equals(attempt))
                        .findFirst();
            }
            first.ifPresent(each -> successor.set("rank " + each + " is alive, and has given it up; call again"));
        };
        stands.listen(look);
        look.run();
    }

    /**
     * Returns whether the attempt has failed because a rank left before it knew that all ranks had met. That rank may
     * call again, and the remaining ranks meet again. If there is time for that, this rank is in no attempt from then
     * on.
     */
    public boolean mayMeetAgain() {
        List<Long> attempt = stands.own().calls();
        long question = stands.ask();
        RunningDeadline answers = call.answers();
        try {
            while (true) {
                long seen;
                synchronized (stands) {
                    seen = stands.changes();
                    if (answers.left() == 0 || call.others().stream().allMatch(each -> call.isDone(each, question))) {
                        boolean again = call.quitter(attempt).isEmpty()
                                && !call.gone().isEmpty()
                                && call.deadline().left() > 0;
                        if (again) {
                            stands.say(stands.own().in(Stand.Phase.NONE));
                        }
                        return again;
                    }
                }
                stands.await(seen, answers.piece());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends the effect of {@link #watch}. */
    public void watchNoMore() {
        stands.listen(() -> {});
    }

    /**
     * Sends that this rank's part of the new communicator is set up, and waits until all remaining ranks have sent it.
     * An interrupt does not end the wait, because other ranks may have gone on already. The deadline does not end it
     * before the other ranks have had time to answer.
     *
     * @param successor the abort word of the new communicator
     * @param told maps the exception of the new communicator to one in ranks of the old communicator
     * @throws MsccljException if a rank gives up, and none has gone on
     */
    public void confirm(AbortFlag successor, UnaryOperator<MsccljException> told) {
        try {
            confirmation.confirm(successor, told);
        } catch (RuntimeException | Error e) {
            giveUp();
            throw e;
        }
    }

    /** Sends that this rank has left the attempt, unless its call was refused and it has sent that. Idempotent. */
    public void giveUp() {
        synchronized (stands) {
            Stand own = stands.own();
            if (own.isOpen() || own.phase() == Stand.Phase.LEAVING) {
                stands.say(own.in(hasMet ? Stand.Phase.QUIT : Stand.Phase.NONE));
            }
        }
        stands.tell();
    }
}
