package org.mscclj.cli.stress;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;

/**
 * A scenario that opens, uses and closes communicators in sequence. It checks that no device memory leaks, if the
 * backend reports free memory.
 *
 * @param communicators the number of communicators
 */
record ManyCommunicators(int communicators) implements Scenario {
    private static final int COUNT = 5_000;

    /**
     * Tolerance in bytes, for memory that drivers keep and for blocks that allocations share. With 1000 communicators
     * it detects a leak of 34 KiB each, with 100 one of 336 KiB.
     */
    private static final long ALLOWED_BYTES = 32 << 20;

    @Override
    public String run(LocalGroupOptions options) {
        AtomicLong most = new AtomicLong(Long.MIN_VALUE);
        long start = System.nanoTime();
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(communicator -> use(communicator).ifPresent(lost -> most.accumulateAndGet(lost, Math::max)));
        }
        String text = String.format(
                Locale.ROOT,
                "%,d communicators, %.1f ms each",
                communicators,
                (System.nanoTime() - start) / 1e6 / communicators);
        return most.get() == Long.MIN_VALUE ? text : text + "; " + judged(most.get(), ALLOWED_BYTES);
    }

    /**
     * Describes the leaked memory.
     *
     * @throws IllegalStateException if it is more than allowed
     */
    static String judged(long lostBytes, long allowedBytes) {
        String text = String.format(
                Locale.ROOT,
                "%.1f MiB of device memory less free than after the first of them, %.1f MiB allowed",
                Math.scalb((double) lostBytes, -20),
                Math.scalb((double) allowedBytes, -20));
        if (lostBytes > allowedBytes) {
            throw new IllegalStateException(text
                    + "; communicators leave memory behind, unless another process has taken it: try"
                    + " again without others");
        }
        return text;
    }

    /**
     * Uses the communicators. Returns by how many bytes the free memory of this rank's device has shrunk since a first
     * communicator, which loads what all need.
     */
    private OptionalLong use(Communicator communicator) {
        use(communicator, "first");
        OptionalLong before = freeMemory(communicator);
        for (int i = 0; i < communicators; i++) {
            use(communicator, "next-" + i);
        }
        OptionalLong after = freeMemory(communicator);
        return before.isPresent() && after.isPresent()
                ? OptionalLong.of(before.getAsLong() - after.getAsLong())
                : OptionalLong.empty();
    }

    /**
     * Returns the free memory of the device, after all ranks, some of which may share the device, have closed their
     * communicators.
     */
    private static OptionalLong freeMemory(Communicator communicator) {
        communicator.barrier();
        OptionalLong free = communicator.device().freeMemory();
        communicator.barrier();
        return free;
    }

    private static void use(Communicator communicator, String name) {
        try (Communicator next = communicator
                        .split(IntStream.range(0, communicator.size()).boxed().toList(), name)
                        .orElseThrow();
                Sums sums = new Sums(next, COUNT)) {
            sums.operation().run(next.timeout());
            sums.check();
        }
    }
}
