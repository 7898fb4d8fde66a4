package org.mscclj.runtime.agreement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
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
 *       has recorded the question, and the answer contains whether the answering rank is ready. The call of the rank
 *       that hears of a ready rank, or of a larger group, is refused.
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
    private final Stands stands;
    private final String what;
    private final List<Integer> excluded;
    private final List<Integer> left;
    private final Duration longestAnswer;
    private final UnaryOperator<List<Integer>> silent;
    private final RunningDeadline deadline;
    private final Set<Integer> alive = new HashSet<>();
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
        this.stands = stands;
        this.what = what;
        this.excluded = List.copyOf(excluded);
        this.left = List.copyOf(left);
        this.deadline = deadline;
        this.longestAnswer = longestAnswer;
        this.silent = silent;
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
        synchronized (stands) {
            requireNobodyFormed();
            requireAll();
            stands.say(stands.own().called(excluded));
        }
        long question = stands.ask();
        RunningDeadline answers = RunningDeadline.after(longestAnswer);
        try {
            while (true) {
                long seen;
                Optional<Long> met;
                List<Integer> doubted;
                if (isRefused()) {
                    hearAll(); // so that the exception contains the lists of all ranks
                }
                synchronized (stands) {
                    seen = stands.changes();
                    requireNobodyFormed();
                    requireAll();
                    requireNotRefused();
                    doubted = doubted();
                    met = doubted.isEmpty() ? step(question, answers.left() == 0) : Optional.empty();
                }
                stands.tell();
                if (met.isPresent()) {
                    hasMet = true;
                    return met.get();
                }
                if (!doubted.isEmpty()) {
                    ask(doubted);
                } else if (deadline.left() == 0) {
                    throw late();
                } else {
                    stands.await(seen, waiting(answers));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            giveUp();
            throw new AbortedException(what + ": interrupted while waiting for other ranks", e);
        } catch (RuntimeException | Error e) {
            giveUp();
            throw e;
        }
    }

    private boolean isRefused() {
        synchronized (stands) {
            return stands.refused().isPresent();
        }
    }

    /** Waits until all other ranks that can answer have answered. */
    private void hearAll() throws InterruptedException {
        long question = stands.ask();
        RunningDeadline answers = RunningDeadline.after(longestAnswer);
        while (answers.left() > 0) {
            long seen;
            synchronized (stands) {
                seen = stands.changes();
                if (IntStream.range(0, stands.size())
                        .allMatch(each -> each == stands.rank() || isDone(each, question))) {
                    return;
                }
            }
            stands.await(seen, answers.piece());
        }
    }

    private long waiting(RunningDeadline answers) {
        long piece = deadline.piece();
        long forAnswers = answers.left();
        return forAnswers == 0 ? piece : Math.min(piece, forAnswers);
    }

    /** Evaluates the states of all ranks once. The caller holds the monitor. */
    private Optional<Long> step(long question, boolean answersOver) {
        quitter(stands.own().calls())
                .ifPresent(
                        each -> { // all ranks had met, though this rank has not seen it
                            throw gaveUp(each);
                        });
        boolean met = left.stream()
                .map(stands::of)
                .allMatch(stand -> stand.isOpen() && stand.excluded().equals(excluded));
        List<Long> calls = left.stream().map(each -> stands.of(each).call()).toList();
        if (stands.own().phase() == Stand.Phase.CALLED) {
            if (!met || !(answersOver || excluded.stream().allMatch(each -> isDone(each, question)))) {
                return Optional.empty();
            }
            stands.say(stands.own().ready(calls));
        } else if (!met) {
            stands.say(stands.own().in(Stand.Phase.CALLED)); // a rank has given up, and may call again
            return Optional.empty();
        } else if (!stands.own().calls().equals(calls)) {
            stands.say(stands.own().ready(calls));
        }
        boolean all = left.stream()
                .map(stands::of)
                .allMatch(stand -> stand.has(Stand.Phase.READY, calls) || stand.has(Stand.Phase.PREPARED, calls));
        return all ? Optional.of(calls.stream().mapToLong(Long::longValue).sum()) : Optional.empty();
    }

    private boolean isDone(int each, long question) {
        return !stands.isThere(each) || stands.hasAnswered(each, question);
    }

    private void requireAll() {
        for (int each : left) {
            Optional<String> how = stands.howLost(each);
            if (how.isPresent()) {
                throw lost(each, how.get());
            }
            if (stands.hasClosed(each)) {
                throw lost(each, "it has closed its communicator, and takes no part any more");
            }
        }
    }

    private RankLostException lost(int each, String how) {
        return new RankLostException(each, what + ": rank " + each + " takes no part: " + how + "; exclude it too");
    }

    /** The caller holds the monitor. */
    private void requireNobodyFormed() {
        for (int each = 0; each < stands.size(); each++) {
            Stand stand = stands.of(each);
            if (each != stands.rank() && stand.phase() == Stand.Phase.FORMED) {
                throw refused("rank " + each + " goes on without ranks " + stand.excluded()
                        + ", and this rank is not with it; close this communicator");
            }
        }
    }

    /** The caller holds the monitor. */
    private void requireNotRefused() {
        if (stands.refused().isPresent()) {
            throw refused("rank " + stands.refused().get() + " was refused");
        }
        if (stands.own().phase() != Stand.Phase.CALLED) {
            return; // ranks that exclude this one receive its state, which is ready
        }
        for (int each = 0; each < stands.size(); each++) {
            Stand stand = stands.of(each);
            if (each == stands.rank() || !stand.isOpen()) {
                continue;
            }
            if (left.contains(each) && stand.excluded().contains(stands.rank())) {
                throw refused("rank " + each + " excludes this rank");
            }
            if (excluded.contains(each) && excludesAll(stand) && !comesFirst(stand)) {
                throw refused("rank " + each + ", which is excluded here, calls with others");
            }
        }
        Set<Integer> more = more();
        if (!more.isEmpty() && alive.containsAll(more)) {
            throw refused("ranks " + more + " are alive, and are excluded by some ranks only");
        }
    }

    private boolean excludesAll(Stand stand) {
        return stand.excluded().containsAll(left);
    }

    /**
     * Decides which of two groups without a common rank may form while no rank of either is ready: the larger group; of
     * groups of equal size, the one with the lowest rank.
     */
    private boolean comesFirst(Stand other) {
        if (other.phase() != Stand.Phase.CALLED) {
            return false;
        }
        List<Integer> theirs = IntStream.range(0, stands.size())
                .filter(each -> !other.excluded().contains(each))
                .boxed()
                .toList();
        return left.size() == theirs.size() ? left.getFirst() < theirs.getFirst() : left.size() > theirs.size();
    }

    /** Returns the ranks that this rank waits for and that another remaining rank excludes. */
    private Set<Integer> more() {
        Set<Integer> more = new TreeSet<>();
        left.stream().map(stands::of).filter(Stand::isOpen).forEach(stand -> more.addAll(stand.excluded()));
        excluded.forEach(more::remove);
        return more;
    }

    private List<Integer> doubted() {
        return more().stream().filter(each -> !alive.contains(each)).toList();
    }

    /**
     * Asks ranks that this rank waits for and that other ranks exclude. Such a rank may be stopped, or lost without
     * this rank's knowledge so far.
     */
    private void ask(List<Integer> doubted) {
        List<Integer> mute = silent.apply(doubted);
        doubted.stream().filter(each -> !mute.contains(each)).forEach(alive::add);
        synchronized (stands) {
            requireAll();
        }
        if (!mute.isEmpty()) {
            throw new OperationTimeoutException(
                    what + ": ranks " + mute + " do not answer, and others exclude them: " + lists()
                            + "; exclude them too",
                    mute);
        }
    }

    private InvalidArgumentException refused(String why) {
        stands.say(stands.own()
                .refused(IntStream.range(0, stands.size())
                        .mapToObj(each -> stands.said(each).call())
                        .toList()));
        return new InvalidArgumentException(what + ": ranks call shrink with different lists, " + lists() + "; " + why
                + "; allowed: the same list on all ranks that are left");
    }

    /** For example "rank 0 without ranks [2]; rank 1 without ranks []". */
    private String lists() {
        synchronized (stands) {
            return IntStream.range(0, stands.size())
                    .filter(each -> stands.said(each).call() > 0)
                    .mapToObj(each -> "rank " + each + " without ranks "
                            + stands.said(each).excluded())
                    .collect(Collectors.joining("; "));
        }
    }

    private OperationTimeoutException late() {
        List<Integer> missing;
        String lists;
        synchronized (stands) {
            missing = left.stream()
                    .filter(each -> !stands.of(each).isOpen()
                            || !stands.of(each).excluded().equals(excluded))
                    .toList();
            lists = lists();
        }
        List<Integer> waited = missing.isEmpty() ? others() : missing; // all called, but never at the same time
        return timedOut(
                waited,
                what + ": waited for ranks " + waited + ", which did not call it with the same excluded ranks within "
                        + DurationText.of(deadline.limit()) + " (" + lists + ")",
                "call again, or exclude them too");
    }

    /** Creates the exception for a timeout. If only some of the missing ranks do not answer, it names these. */
    private OperationTimeoutException timedOut(List<Integer> missing, String words, String advice) {
        List<Integer> mute = silent.apply(missing);
        boolean some = !mute.isEmpty() && mute.size() < missing.size();
        return new OperationTimeoutException(
                words + (some ? "; of these, ranks " + mute + " do not answer" : "") + "; " + advice,
                some ? mute : missing);
    }

    private List<Integer> others() {
        return left.stream().filter(each -> each != stands.rank()).toList();
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
                first = gone().stream() // the new communicator learns by itself of lost ranks, and of ranks that had
                        // begun to set it up
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
        RunningDeadline answers = RunningDeadline.after(longestAnswer);
        try {
            while (true) {
                long seen;
                synchronized (stands) {
                    seen = stands.changes();
                    if (answers.left() == 0 || others().stream().allMatch(each -> isDone(each, question))) {
                        boolean again = quitter(attempt).isEmpty() && !gone().isEmpty() && deadline.left() > 0;
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

    /** Returns a rank that gave up an attempt after all ranks had met; empty also while this rank is in no attempt. */
    private Optional<Integer> quitter(List<Long> attempt) {
        return left.stream()
                .filter(each -> !attempt.isEmpty() && stands.of(each).quit().equals(attempt))
                .findFirst();
    }

    private AbortedException gaveUp(int each) {
        return new AbortedException(what + ": rank " + each + " is alive, and has given up; call again");
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
        RunningDeadline confirmed =
                deadline.left() < longestAnswer.toNanos() ? RunningDeadline.after(longestAnswer) : deadline;
        boolean interrupted = Thread.interrupted();
        synchronized (stands) {
            stands.say(stands.own().in(Stand.Phase.PREPARED));
        }
        stands.tell();
        try {
            while (true) {
                long seen;
                Optional<MsccljException> end = Optional.empty();
                synchronized (stands) {
                    seen = stands.changes();
                    if (mayForm()) {
                        stands.say(stands.own().in(Stand.Phase.FORMED));
                    } else if (successor.isSet() || confirmed.left() == 0 || !gone().isEmpty()) {
                        end = Optional.of(why(successor, told));
                    }
                }
                stands.tell();
                if (stands.own().phase() == Stand.Phase.FORMED) {
                    return;
                }
                if (end.isPresent()) {
                    leave(end.get());
                    return;
                }
                try {
                    stands.await(seen, confirmed.piece());
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns whether all remaining ranks are prepared, or one of them has formed. */
    private boolean mayForm() {
        List<Long> attempt = stands.own().calls();
        return hasFormed(attempt)
                || left.stream().map(stands::said).allMatch(stand -> stand.has(Stand.Phase.PREPARED, attempt));
    }

    /**
     * Returns whether a remaining rank has formed. The state of a lost rank does not count: all ranks ask the remaining
     * ones.
     */
    private boolean hasFormed(List<Long> attempt) {
        return left.stream().anyMatch(each -> stands.of(each).has(Stand.Phase.FORMED, attempt));
    }

    /** Returns the ranks that will never be prepared. */
    private List<Integer> gone() {
        List<Long> attempt = stands.own().calls();
        return left.stream()
                .filter(each -> !stands.said(each).has(Stand.Phase.PREPARED, attempt))
                .filter(each -> !stands.isThere(each) || !stands.of(each).has(Stand.Phase.READY, attempt))
                .toList();
    }

    private MsccljException why(AbortFlag successor, UnaryOperator<MsccljException> told) {
        for (int each : left) {
            Optional<String> how = stands.howLost(each);
            if (how.isPresent()) {
                return lost(each, how.get());
            }
        }
        if (successor.isSet()) {
            return told.apply(successor.exception(what));
        }
        List<Integer> gone = gone();
        if (gone.isEmpty()) {
            List<Integer> unprepared = left.stream()
                    .filter(each -> !stands.said(each)
                            .has(Stand.Phase.PREPARED, stands.own().calls()))
                    .toList();
            return new OperationTimeoutException(
                    what + ": ranks " + unprepared + " did not say within " + DurationText.of(deadline.limit())
                            + " that their part of the new communicator is set up; call again, or exclude them too",
                    unprepared);
        }
        int first = gone.getFirst();
        return stands.hasClosed(first) ? lost(first, "it has closed its communicator") : gaveUp(first);
    }

    /** Gives up the attempt, unless a rank has gone on. */
    private void leave(MsccljException why) {
        List<Long> attempt = stands.own().calls();
        synchronized (stands) {
            stands.say(stands.own().in(Stand.Phase.LEAVING));
        }
        long question = stands.ask();
        RunningDeadline answers = RunningDeadline.after(longestAnswer);
        boolean interrupted = false;
        boolean formed = false;
        while (!formed) {
            long seen;
            boolean over;
            synchronized (stands) {
                seen = stands.changes();
                formed = hasFormed(attempt);
                over = answers.left() == 0 || others().stream().allMatch(each -> isDone(each, question));
                if (formed) {
                    stands.say(stands.own().in(Stand.Phase.FORMED));
                }
            }
            if (over) {
                break;
            }
            try {
                stands.await(seen, answers.piece());
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        stands.tell();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!formed) {
            giveUp();
            throw why;
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

    /** Returns the remaining ranks, for messages. */
    @Override
    public String toString() {
        return new ArrayList<>(left) + " without " + excluded;
    }
}
