package org.mscclj.cli.stress;

import java.util.Locale;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;

/**
 * A scenario with two communicators of the same ranks and launches in flight on both; odd ranks launch in the opposite
 * order.
 *
 * @param launches the number of launches on each
 */
record OverlappingLaunches(int launches) implements Scenario {
    private static final int SMALL = 1000;
    private static final int LARGE = 200_003;
    private static final int IN_FLIGHT = 100;

    @Override
    public String run(LocalGroupOptions options) {
        long start = System.nanoTime();
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(this::launch);
        }
        return String.format(Locale.ROOT, "2 x %,d launches in %.1f s", launches, (System.nanoTime() - start) / 1e9);
    }

    private void launch(Communicator communicator) {
        boolean secondFirst = communicator.rank() % 2 == 1;
        try (Communicator second = communicator
                        .split(IntStream.range(0, communicator.size()).boxed().toList(), "second")
                        .orElseThrow();
                Sums one = new Sums(communicator, SMALL);
                Sums other = new Sums(second, LARGE)) {
            for (int i = 0; i < launches; i++) {
                (secondFirst ? other : one).operation().launch();
                (secondFirst ? one : other).operation().launch();
                if (i % IN_FLIGHT == IN_FLIGHT - 1) {
                    one.operation().join(communicator.timeout());
                    other.operation().join(communicator.timeout());
                }
            }
            one.operation().join(communicator.timeout());
            other.operation().join(communicator.timeout());
            one.check();
            other.check();
        }
    }
}
