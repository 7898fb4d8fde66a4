package org.mscclj.runtime.agreement;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.time.RunningDeadline;

/**
 * The first phase of a call of shrink: waits until all remaining ranks have called with an equal list. Used by one
 * thread.
 */
final class MeetPhase {
    private final ShrinkCall call;
    private final Stands stands;
    private final List<Integer> excluded;
    private final List<Integer> left;
    private final RunningDeadline deadline;
    private final ListRules rules;

    MeetPhase(ShrinkCall call) {
        this.call = call;
        this.stands = call.stands();
        this.excluded = call.excluded();
        this.left = call.left();
        this.deadline = call.deadline();
        this.rules = new ListRules(call);
    }

    /** Returns the number of the attempt; see {@link ShrinkAgreement#meet}. */
    long meet() {
        synchronized (stands) {
            rules.requireNobodyFormed();
            call.requireAll();
            stands.say(stands.own().called(excluded));
        }
        long question = stands.ask();
        RunningDeadline answers = call.answers();
        try {
            while (true) {
                long seen;
                Optional<Long> met;
                List<Integer> doubted;
                if (Thread.interrupted()) { // also if no wait is necessary
                    throw new InterruptedException();
                }
                if (isRefused()) {
                    hearAll(); // so that the exception contains the lists of all ranks
                }
                synchronized (stands) {
                    seen = stands.changes();
                    rules.requireNobodyFormed();
                    call.requireAll();
                    rules.requireNotRefused();
                    doubted = rules.doubted();
                    met = doubted.isEmpty() ? step(question, answers.left() == 0) : Optional.empty();
                }
                stands.tell();
                if (met.isPresent()) {
                    return met.get();
                }
                if (!doubted.isEmpty()) {
                    rules.ask(doubted);
                } else if (deadline.left() == 0) {
                    throw tooLate();
                } else {
                    stands.await(seen, waiting(answers));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException(call.what() + ": interrupted while waiting for other ranks", e);
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
        RunningDeadline answers = call.answers();
        while (answers.left() > 0) {
            long seen;
            synchronized (stands) {
                seen = stands.changes();
                if (IntStream.range(0, stands.size())
                        .allMatch(each -> each == stands.rank() || call.isDone(each, question))) {
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
        call.quitter(stands.own().calls()).ifPresent(each -> {
            throw call.gaveUp(each); // all ranks had met, though this rank has not seen it
        });
        boolean met = left.stream()
                .map(stands::of)
                .allMatch(stand -> stand.isOpen() && stand.excluded().equals(excluded));
        List<Long> calls = left.stream().map(each -> stands.of(each).call()).toList();
        if (stands.own().phase() == Stand.Phase.CALLED) {
            if (!met
                    || rules.rival().isPresent()
                    || !(answersOver || excluded.stream().allMatch(each -> call.isDone(each, question)))) {
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

    /** Returns the exception for a call whose deadline has passed. */
    private MsccljException tooLate() {
        synchronized (stands) {
            Optional<Integer> rival = rules.rival();
            if (rival.isPresent()) {
                return rules.refusedFor(rival.get());
            }
        }
        return late();
    }

    private OperationTimeoutException late() {
        List<Integer> missing;
        String lists;
        synchronized (stands) {
            missing = left.stream()
                    .filter(each -> !stands.of(each).isOpen()
                            || !stands.of(each).excluded().equals(excluded))
                    .toList();
            lists = call.lists();
        }
        List<Integer> waited = missing.isEmpty() ? call.others() : missing; // all called, but never at the same time
        return timedOut(
                waited,
                call.what() + ": waited for ranks " + waited
                        + ", which did not call it with the same excluded ranks within "
                        + DurationText.of(deadline.limit()) + " (" + lists + ")",
                "call again, or exclude them too");
    }

    /** Creates the exception for a timeout. If only some of the missing ranks do not answer, it names these. */
    private OperationTimeoutException timedOut(List<Integer> missing, String words, String advice) {
        List<Integer> mute = call.silent().apply(missing);
        boolean some = !mute.isEmpty() && mute.size() < missing.size();
        return new OperationTimeoutException(
                words + (some ? "; of these, ranks " + mute + " do not answer" : "") + "; " + advice,
                some ? mute : missing);
    }
}
