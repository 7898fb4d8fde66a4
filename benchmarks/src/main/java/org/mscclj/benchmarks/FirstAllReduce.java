package org.mscclj.benchmarks;

import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * Measures milliseconds from {@code START_NANOS} (an environment variable with the start of the process, in nanoseconds
 * since 1970) until the main method runs, until a group is open, and until all ranks have joined their first allreduce.
 * Also reports the free MiB on the first rank's device at that time, with one open communicator for each rank.
 * {@code first-allreduce.sh} compares these with a C program.
 *
 * <pre>FirstAllReduce [backend] [ranks]</pre>
 */
public final class FirstAllReduce {
    private static final long BYTES = 4096;

    private FirstAllReduce() {}

    /** Prints one line, and exits the process. */
    public static void main(String[] args) {
        long main = nanos();
        String backend = args.length > 0 ? args[0] : "cuda";
        int ranks = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(ranks).backend(backend))) {
            long open = nanos();
            group.run(FirstAllReduce::reduce);
            long joined = nanos();
            AtomicReference<String> free = new AtomicReference<>("-");
            group.run(communicator -> {
                if (communicator.rank() == 0) {
                    communicator.device().freeMemory().ifPresent(bytes -> free.set(mebibytes(bytes)));
                }
            });
            long start = start();
            System.out.printf(
                    Locale.ROOT,
                    "Java main        %5d  group    %5d  all %5d  free MiB %s%n",
                    millis(main - start),
                    millis(open - start),
                    millis(joined - start),
                    free.get());
        }
    }

    private static void reduce(Communicator communicator) {
        DeviceBuffer buffer = communicator.allocate(BYTES);
        communicator.allReduce(buffer, buffer, DataType.FLOAT16, ReduceOp.SUM).join();
    }

    private static long start() {
        String start = System.getenv("START_NANOS");
        if (start == null) {
            throw new IllegalArgumentException("START_NANOS is not set; run first-allreduce.sh");
        }
        return Long.parseLong(start);
    }

    private static long nanos() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f", bytes / (double) (1 << 20));
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
