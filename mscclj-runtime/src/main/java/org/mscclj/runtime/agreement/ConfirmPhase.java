package org.mscclj.runtime.agreement;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.spi.engine.AbortFlag;

/**
 * The second phase of a call of shrink: waits until all remaining ranks have set up their parts of the new
 * communicator. Used by one thread.
 */
final class ConfirmPhase {
    private final ShrinkCall call;
    private final Stands stands;
    private final List<Integer> left;

    ConfirmPhase(ShrinkCall call) {
        this.call = call;
        this.stands = call.stands();
        this.left = call.left();
    }

    /** See {@link ShrinkAgreement#confirm}. */
    void confirm(AbortFlag successor, UnaryOperator<MsccljException> told) {
        RunningDeadline confirmed =
                call.deadline().left() < call.longestAnswer().toNanos() ? call.answers() : call.deadline();
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
                    } else if (successor.isSet()
                            || confirmed.left() == 0
                            || !call.gone().isEmpty()) {
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

    private MsccljException why(AbortFlag successor, UnaryOperator<MsccljException> told) {
        for (int each : left) {
            Optional<String> how = stands.howLost(each);
            if (how.isPresent()) {
                return call.lost(each, how.get());
            }
        }
        if (successor.isSet()) {
            return told.apply(successor.exception(call.what()));
        }
        List<Integer> gone = call.gone();
        if (gone.isEmpty()) {
            List<Integer> unprepared = left.stream()
                    .filter(each -> !stands.said(each)
                            .has(Stand.Phase.PREPARED, stands.own().calls()))
                    .toList();
            return new OperationTimeoutException(
                    call.what() + ": ranks " + unprepared + " did not say within "
                            + DurationText.of(call.deadline().limit())
                            + " that their part of the new communicator is set up; call again, or exclude them too",
                    unprepared);
        }
        int first = gone.getFirst();
        return stands.hasClosed(first) ? call.lost(first, "it has closed its communicator") : call.gaveUp(first);
    }

    /** Gives up the attempt, unless a rank has gone on. */
    private void leave(MsccljException why) {
        List<Long> attempt = stands.own().calls();
        synchronized (stands) {
            stands.say(stands.own().in(Stand.Phase.LEAVING));
        }
        long question = stands.ask();
        RunningDeadline answers = call.answers();
        boolean interrupted = false;
        boolean formed = false;
        while (!formed) {
            long seen;
            boolean over;
            synchronized (stands) {
                seen = stands.changes();
                formed = hasFormed(attempt);
                over = answers.left() == 0 || call.others().stream().allMatch(each -> call.isDone(each, question));
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
            throw why;
        }
    }
}
