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
 * One call of shrink, as the ranks agree on it. No two groups form:
 *
 * <ul>
 *   <li>A rank tells all others, the excluded ones too, with which list it calls, and asks those for an answer. Only
 *       when all that are left have called with the same list, and each excluded rank has answered, is lost, has
 *       closed, or is silent for a second, it is ready. Of two ranks that exclude each other and can hear each other,
 *       one hears of the other before it is ready: each answers after it has taken note of the question, and says
 *       whether it is ready itself. The one that hears of a ready rank, or of a larger group, is refused.
 *   <li>When its part of the new communicator is set up, a rank says so, and goes on only when all have said it. A rank
 *       that gives up after that says first that it leaves, and asks the others: if one has gone on, it goes on, too;
 *       an answer to it that says otherwise is from a rank that will not go on either, since it has heard of the
 *       leaving before.
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
     * A call.
     *
     * @param what the call, for messages
     * @param excluded the ranks that it excludes, ascending
     * @param left the others, ascending; the calling rank is among them
     * @param deadline until when it waits for others; used by the calling thread alone
     * @param longestAnswer how long it waits for answers
     * @param silent which of some ranks do not answer; may wait for as long
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
     * Waits until all that are left have called with the same list.
     *
     * @return a number that tells this attempt from others of the same ranks, equal on all
     * @throws InvalidArgumentException if lists differ, or others go on without this rank
     * @throws OperationTimeoutException if ranks do not call in time; names them
     * @throws RankLostException if a rank that is left is lost, or has closed its communicator
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
                    hearAll(); // so that the exception has the lists of all
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

    /** Waits until all others have answered that can. */
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

    /** One look at what all say; under the monitor. */
    private Optional<Long> step(long question, boolean answersOver) {
        quitter(stands.own().calls())
                .ifPresent(
                        each -> { // all had met, though this rank has not seen it
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

    /** Under the monitor. */
    private void requireNobodyFormed() {
        for (int each = 0; each < stands.size(); each++) {
            Stand stand = stands.of(each);
            if (each != stands.rank() && stand.phase() == Stand.Phase.FORMED) {
                throw refused("rank " + each + " goes on without ranks " + stand.excluded()
                        + ", and this rank is not with it; close this communicator");
            }
        }
    }

    /** Under the monitor. */
    private void requireNotRefused() {
        if (stands.refused().isPresent()) {
            throw refused("rank " + stands.refused().get() + " was refused");
        }
        if (stands.own().phase() != Stand.Phase.CALLED) {
            return; // others that exclude this rank hear that it is ready
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
     * Of two groups without a common rank, of which none is ready, the larger one may form; of equal ones, the one with
     * the lowest rank.
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

    /** Ranks that this rank waits for, and that another one which is left excludes. */
    private Set<Integer> more() {
        Set<Integer> more = new TreeSet<>();
        left.stream().map(stands::of).filter(Stand::isOpen).forEach(stand -> more.addAll(stand.excluded()));
        excluded.forEach(more::remove);
        return more;
    }

    private List<Integer> doubted() {
        return more().stream().filter(each -> !alive.contains(each)).toList();
    }

    /** Others exclude ranks that this one waits for: those may be stopped, or on their way to be known as lost. */
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
        List<Integer> waited = missing.isEmpty() ? others() : missing; // all have called, but never at the same time
        return timedOut(
                waited,
                what + ": waited for ranks " + waited + ", which did not call it with the same excluded ranks within "
                        + DurationText.of(deadline.limit()) + " (" + lists + ")",
                "call again, or exclude them too");
    }

    /** If some of the ranks do not answer, those are to blame. */
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
     * Ends the new communicator, while this rank sets it up, as soon as a rank gives up. A thread that tells of what it
     * has heard may be slow, and look when this rank is further: then the look changes nothing.
     *
     * @param successor its abort word
     */
    public void watch(AbortFlag successor) {
        Runnable look = () -> {
            Optional<Integer> first;
            synchronized (stands) {
                if (stands.own().phase() != Stand.Phase.READY) {
                    return;
                }
                List<Long> attempt = stands.own().calls();
                first = gone().stream() // the new communicator hears itself of those that are lost, or have begun to
                        // set it up
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
     * Whether the attempt has failed because a rank has left before it knew that all had met: then it may call again,
     * and the others meet again. If there is time for that, this rank is in no attempt any more.
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

    /** A rank that has given up an attempt after all had met; empty also before this rank is in an attempt. */
    private Optional<Integer> quitter(List<Long> attempt) {
        return left.stream()
                .filter(each -> !attempt.isEmpty() && stands.of(each).quit().equals(attempt))
                .findFirst();
    }

    private AbortedException gaveUp(int each) {
        return new AbortedException(what + ": rank " + each + " is alive, and has given up; call again");
    }

    /** Ends what {@link #watch} does. */
    public void watchNoMore() {
        stands.listen(() -> {});
    }

    /**
     * Says that this rank's part of the new communicator is set up, and waits until that of all is. An interrupt does
     * not end this: others may go on already. Nor does the deadline until they had time to answer.
     *
     * @param successor the abort word of the new communicator
     * @param told tells what has ended it in ranks of the old one
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

    /** All are prepared, or one has found that out before. */
    private boolean mayForm() {
        List<Long> attempt = stands.own().calls();
        return hasFormed(attempt)
                || left.stream().map(stands::said).allMatch(stand -> stand.has(Stand.Phase.PREPARED, attempt));
    }

    /** What a rank says that is lost by now does not count: all ask those that are left. */
    private boolean hasFormed(List<Long> attempt) {
        return left.stream().anyMatch(each -> stands.of(each).has(Stand.Phase.FORMED, attempt));
    }

    /** Ranks that will not be prepared any more. */
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

    /** Gives up, unless a rank has gone on. */
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

    /**
     * Says that this rank takes no part in the attempt any more, unless it was refused, and has said so. Idempotent.
     */
    public void giveUp() {
        synchronized (stands) {
            Stand own = stands.own();
            if (own.isOpen() || own.phase() == Stand.Phase.LEAVING) {
                stands.say(own.in(hasMet ? Stand.Phase.QUIT : Stand.Phase.NONE));
            }
        }
        stands.tell();
    }

    /** The ranks that are left, for messages. */
    @Override
    public String toString() {
        return new ArrayList<>(left) + " without " + excluded;
    }
}
