package org.mscclj.cli.stress;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;

/**
 * A scenario in which a rank never calls: the exceptions of the others name it, and an abort ends their launches in
 * flight. Afterwards the devices work as before.
 *
 * @param timeout the timeout of the other ranks
 */
record MissingRank(Duration timeout) implements Scenario {
    /** Time limit for the abort and for closing. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private static final int LAUNCHES = 50;
    private static final int COUNT = 100_000;

    @Override
    public String run(LocalGroupOptions options) {
        AtomicLong longest = new AtomicLong();
        long start;
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(communicator -> launch(communicator, longest));
            start = System.nanoTime();
        }
        long closed = System.nanoTime() - start;
        if (longest.get() + closed > LIMIT.toNanos()) {
            throw new IllegalStateException(
                    "ending the launches in flight took " + longest.get() / 1_000_000 + " ms, and closing "
                            + closed / 1_000_000 + " ms; together " + LIMIT.toMillis() + " ms are allowed");
        }
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(MissingRank::launchRight);
        }
        return String.format(
                Locale.ROOT,
                "launches in flight ended %.1f ms after the abort, closing took %.1f ms, and a new group works",
                longest.get() / 1e6,
                closed / 1e6);
    }

    private void launch(Communicator communicator, AtomicLong longest) {
        int absent = communicator.size() - 1;
        Sums sums = new Sums(communicator, COUNT);
        if (communicator.rank() == absent) {
            RankPause.stay(communicator, timeout.multipliedBy(2));
            communicator.abort("rank " + absent + " has stayed away on purpose");
            return;
        }
        for (int i = 0; i < LAUNCHES; i++) {
            sums.operation().launch();
        }
        try {
            sums.operation().join(timeout);
            throw new IllegalStateException("rank " + communicator.rank() + ": launches ended without rank " + absent);
        } catch (OperationTimeoutException e) {
            if (!e.missingRanks().equals(List.of(absent))) {
                throw new IllegalStateException(
                        "rank " + communicator.rank() + ": ranks " + e.missingRanks()
                                + " are reported as missing, and not " + absent,
                        e);
            }
        }
        if (!RankPause.stay(communicator, communicator.timeout())) {
            throw new IllegalStateException("rank " + communicator.rank() + ": the abort has not arrived after "
                    + DurationText.of(communicator.timeout()));
        }
        long aborted = System.nanoTime();
        try {
            sums.operation().join(communicator.timeout());
            throw new IllegalStateException(
                    "rank " + communicator.rank() + ": joining an aborted launch throws nothing");
        } catch (AbortedException _) {
            // expected
        }
        communicator.stream().synchronize(communicator.timeout());
        longest.accumulateAndGet(System.nanoTime() - aborted, Math::max);
    }

    private static void launchRight(Communicator communicator) {
        try (Sums sums = new Sums(communicator, COUNT)) {
            sums.operation().run(communicator.timeout());
            sums.check();
        }
    }
}
