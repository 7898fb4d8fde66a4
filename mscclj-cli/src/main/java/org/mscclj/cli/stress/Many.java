package org.mscclj.cli.stress;

import java.util.Locale;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;

/**
 * Communicators that are made, used and closed, one after the other.
 *
 * @param communicators how many
 */
record Many(int communicators) implements Scenario {
    private static final int COUNT = 5_000;

    @Override
    public String run(LocalGroupOptions options) {
        long start = System.nanoTime();
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(this::use);
        }
        return String.format(
                Locale.ROOT,
                "%,d communicators, %.1f ms each",
                communicators,
                (System.nanoTime() - start) / 1e6 / communicators);
    }

    private void use(Communicator communicator) {
        for (int i = 0; i < communicators; i++) {
            try (Communicator next = communicator
                            .split(
                                    IntStream.range(0, communicator.size())
                                            .boxed()
                                            .toList(),
                                    "next-" + i)
                            .orElseThrow();
                    Sums sums = new Sums(next, COUNT)) {
                sums.operation().run(next.timeout());
                sums.check();
            }
        }
    }
}
