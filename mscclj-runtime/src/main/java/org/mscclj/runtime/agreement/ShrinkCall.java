package org.mscclj.runtime.agreement;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.time.RunningDeadline;

/**
 * One call of shrink on one rank, with what its phases share.
 *
 * @param stands the states of all ranks
 * @param what the call, for messages
 * @param excluded the ranks that the call excludes, ascending
 * @param left the remaining ranks, ascending; the calling rank is among them
 * @param deadline the end of the waits for other ranks; used by the calling thread alone
 * @param longestAnswer the limit of a wait for answers
 * @param silent returns those of some ranks that do not answer; may wait for up to {@code longestAnswer}
 */
record ShrinkCall(
        Stands stands,
        String what,
        List<Integer> excluded,
        List<Integer> left,
        RunningDeadline deadline,
        Duration longestAnswer,
        UnaryOperator<List<Integer>> silent) {
    /** Copies the lists. */
    ShrinkCall {
        excluded = List.copyOf(excluded);
        left = List.copyOf(left);
    }

    List<Integer> others() {
        return left.stream().filter(each -> each != stands.rank()).toList();
    }

    /** Returns whether a rank has answered a question, or will never answer. */
    boolean isDone(int each, long question) {
        return !stands.isThere(each) || stands.hasAnswered(each, question);
    }

    RunningDeadline answers() {
        return RunningDeadline.after(longestAnswer);
    }

    /** Throws if a remaining rank is lost or has closed its communicator. */
    void requireAll() {
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

    RankLostException lost(int each, String how) {
        return new RankLostException(each, what + ": rank " + each + " takes no part: " + how + "; exclude it too");
    }

    /** Returns the remaining ranks that will never be prepared. */
    List<Integer> gone() {
        List<Long> attempt = stands.own().calls();
        return left.stream()
                .filter(each -> !stands.said(each).has(Stand.Phase.PREPARED, attempt))
                .filter(each -> !stands.isThere(each) || !stands.of(each).has(Stand.Phase.READY, attempt))
                .toList();
    }

    /** Returns a rank that gave up an attempt after all ranks had met; empty also while this rank is in no attempt. */
    Optional<Integer> quitter(List<Long> attempt) {
        return left.stream()
                .filter(each -> !attempt.isEmpty() && stands.of(each).quit().equals(attempt))
                .findFirst();
    }

    AbortedException gaveUp(int each) {
        return new AbortedException(what + ": rank " + each
                + " is alive, and has given up, since its call was interrupted, has failed or took too long;"
                + " call again");
    }

    /** For example "rank 0 without ranks [2]; rank 1 without ranks []". */
    String lists() {
        synchronized (stands) {
            return IntStream.range(0, stands.size())
                    .filter(each -> stands.said(each).call() > 0)
                    .mapToObj(each -> "rank " + each + " without ranks "
                            + stands.said(each).excluded())
                    .collect(Collectors.joining("; "));
        }
    }
}
