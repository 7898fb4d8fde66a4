package org.mscclj.cli.stress;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;

/**
 * Communicators that are made, used and closed, one after the other. They leave no memory of the device behind, where
 * the backend says how much is free.
 *
 * @param communicators how many
 */
record Many(int communicators) implements Scenario {
    private static final int COUNT = 5_000;

    /**
     * What drivers keep for themselves as it is needed, and blocks of memory that allocations share. Of a thousand
     * communicators a leak of 34 KiB each is seen, of a hundred one of 336.
     */
    private static final long ALLOWED_BYTES = 32 << 20;

    @Override
    public String run(LocalGroupOptions options) {
        AtomicLong most = new AtomicLong(Long.MIN_VALUE);
        long start = System.nanoTime();
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(communicator -> use(communicator).ifPresent(lost -> most.accumulateAndGet(lost, Math::max)));
        }
        String said = String.format(
                Locale.ROOT,
                "%,d communicators, %.1f ms each",
                communicators,
                (System.nanoTime() - start) / 1e6 / communicators);
        return most.get() == Long.MIN_VALUE ? said : said + "; " + judged(most.get(), ALLOWED_BYTES);
    }

    /**
     * What is lost, in words.
     *
     * @throws IllegalStateException if it is more than allowed
     */
    static String judged(long lostBytes, long allowedBytes) {
        String said = String.format(
                Locale.ROOT,
                "%.1f MiB of device memory less free than after the first of them, %.1f MiB allowed",
                Math.scalb((double) lostBytes, -20),
                Math.scalb((double) allowedBytes, -20));
        if (lostBytes > allowedBytes) {
            throw new IllegalStateException(said
                    + "; communicators leave memory behind, unless another process has taken it: try"
                    + " again without others");
        }
        return said;
    }

    /**
     * Uses them; how much less memory of this rank's device is free afterwards than after one more before, which loads
     * what all need, in bytes.
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

    /** When all ranks, some of which may share the device, have closed what they had. */
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
