package org.mscclj.cli.stress;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;

/**
 * A scenario in which ranks launch at different times: a launch does not block the first ranks.
 *
 * @param delay the time between the first rank's launches and the last rank's
 */
record StaggeredLaunches(Duration delay) implements Scenario {
    private static final int LAUNCHES = 200;
    private static final int COUNT = 10_000;

    @Override
    public String run(LocalGroupOptions options) {
        AtomicLong longest = new AtomicLong();
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(communicator -> launch(communicator, longest));
        }
        if (longest.get() > delay.toNanos() / 2) {
            throw new IllegalStateException(text(longest.get()) + ": launching waited for a rank that launched later");
        }
        return text(longest.get());
    }

    private String text(long nanos) {
        return String.format(
                Locale.ROOT,
                "%,d launches took the first rank %.2f ms, %d ms before the last one's",
                LAUNCHES,
                nanos / 1e6,
                delay.toMillis());
    }

    private void launch(Communicator communicator, AtomicLong longest) {
        try (Sums sums = new Sums(communicator, COUNT)) {
            sums.operation().run(communicator.timeout());
            RankPause.stay(communicator, delay.multipliedBy(communicator.rank()).dividedBy(communicator.size() - 1));
            long start = System.nanoTime();
            for (int i = 0; i < LAUNCHES; i++) {
                sums.operation().launch();
            }
            if (communicator.rank() == 0) {
                longest.set(System.nanoTime() - start);
            }
            sums.operation().join(communicator.timeout().plus(delay));
            sums.check();
        }
    }
}
