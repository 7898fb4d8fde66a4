package org.mscclj.cli.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.OperationTimeoutException;

/**
 * A scenario that opens several communicators at a time again and again. All ranks start with many consecutive
 * launches: what a driver sets up at the first launch on a stream must not wait for launches of other ranks.
 *
 * @param openings the number of openings
 */
record FirstLaunchBursts(int openings) implements Scenario {
    private static final int GROUPS = 3;
    private static final int LAUNCHES = 64;
    private static final int COUNT = 1000;

    @Override
    public String run(LocalGroupOptions options) {
        List<RuntimeException> hung = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < openings; i++) {
            open(options, hung);
        }
        if (!hung.isEmpty()) {
            throw new IllegalStateException(hung.size() + " of " + openings * GROUPS
                    + " communicators hung in their first launches; the first: " + hung.getFirst());
        }
        return String.format(
                Locale.ROOT,
                "%,d communicators, each with %d launches in a row at first; %.1f ms each",
                openings * GROUPS,
                LAUNCHES,
                (System.nanoTime() - start) / 1e6 / openings / GROUPS);
    }

    private static void open(LocalGroupOptions options, List<RuntimeException> hung) {
        try (LocalGroup first = LocalGroup.open(options);
                LocalGroup second = LocalGroup.open(options);
                LocalGroup third = LocalGroup.open(options)) {
            List<Ranks> all = Stream.of(first, second, third)
                    .map(Ranks::prepare)
                    .toList(); // first, since the first launch sets up resources
            all.forEach(ranks -> ranks.launch().ifPresent(hung::add));
        }
    }

    /** The ranks of a communicator, each with a prepared operation. */
    private record Ranks(LocalGroup group, Map<Integer, Sums> sums) {
        static Ranks prepare(LocalGroup group) {
            Map<Integer, Sums> sums = new ConcurrentHashMap<>();
            group.run(communicator -> sums.put(communicator.rank(), new Sums(communicator, COUNT)));
            return new Ranks(group, sums);
        }

        /** Launches on all ranks at once; returns the message of the first rank that waits in vain. */
        Optional<RuntimeException> launch() {
            try {
                group.run(this::launch);
                return Optional.empty();
            } catch (OperationTimeoutException | AbortedException e) {
                return Optional.of(e);
            }
        }

        private void launch(Communicator communicator) {
            try (Sums own = Objects.requireNonNull(sums.get(communicator.rank()))) {
                PreparedOperation operation = own.operation();
                communicator.barrier();
                for (int i = 0; i < LAUNCHES; i++) {
                    operation.launch();
                }
                operation.join(communicator.timeout());
                own.check();
            }
        }
    }
}
