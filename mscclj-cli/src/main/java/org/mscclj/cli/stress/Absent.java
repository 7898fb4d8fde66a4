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
 * A rank that never calls: the others are told which, and an abort ends what they have in flight. Afterwards the
 * devices are as good as before.
 *
 * @param patience how long the others wait
 */
record Absent(Duration patience) implements Scenario {
    /** What ending and closing may take. */
    private static final Duration MOST = Duration.ofSeconds(2);

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
        if (longest.get() + closed > MOST.toNanos()) {
            throw new IllegalStateException(
                    "ending what was in flight took " + longest.get() / 1_000_000 + " ms, and closing "
                            + closed / 1_000_000 + " ms; together " + MOST.toMillis() + " ms are allowed");
        }
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(Absent::launchRight);
        }
        return String.format(
                Locale.ROOT,
                "what was in flight ended %.1f ms after the abort, closing took %.1f ms, and a new group works",
                longest.get() / 1e6,
                closed / 1e6);
    }

    private void launch(Communicator communicator, AtomicLong longest) {
        int absent = communicator.size() - 1;
        Sums sums = new Sums(communicator, COUNT);
        if (communicator.rank() == absent) {
            Away.stay(communicator, patience.multipliedBy(2));
            communicator.abort("rank " + absent + " has stayed away on purpose");
            return;
        }
        for (int i = 0; i < LAUNCHES; i++) {
            sums.operation().launch();
        }
        try {
            sums.operation().join(patience);
            throw new IllegalStateException("rank " + communicator.rank() + ": launches ended without rank " + absent);
        } catch (OperationTimeoutException e) {
            if (!e.missingRanks().equals(List.of(absent))) {
                throw new IllegalStateException(
                        "rank " + communicator.rank() + ": ranks " + e.missingRanks()
                                + " are said to be missing, and not " + absent,
                        e);
            }
        }
        if (!Away.stay(communicator, communicator.timeout())) {
            throw new IllegalStateException("rank " + communicator.rank() + ": the abort has not arrived after "
                    + DurationText.of(communicator.timeout()));
        }
        long aborted = System.nanoTime();
        try {
            sums.operation().join(communicator.timeout());
            throw new IllegalStateException("rank " + communicator.rank() + ": joining an aborted launch says nothing");
        } catch (AbortedException _) {
            // as it should be
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
