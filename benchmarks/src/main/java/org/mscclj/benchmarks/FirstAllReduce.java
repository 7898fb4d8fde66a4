package org.mscclj.benchmarks;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * Milliseconds from {@code START_NANOS} (an environment variable: nanoseconds since 1970, when the process was started) until the main method runs, a group is
 * open, and all ranks have joined their first allreduce. {@code first-allreduce.sh} compares it with a C program.
 *
 * <pre>FirstAllReduce [backend] [ranks]</pre>
 */
public final class FirstAllReduce {
    private static final long BYTES = 4096;

    private FirstAllReduce() {}

    /** Prints one line, and ends the process. */
    public static void main(String[] args) {
        long main = nanos();
        String backend = args.length > 0 ? args[0] : "cuda";
        int ranks = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(ranks).backend(backend))) {
            long open = nanos();
            group.run(FirstAllReduce::reduce);
            long joined = nanos();
            long start = start();
            System.out.printf(
                    "Java main        %5d  group    %5d  all %5d%n",
                    millis(main - start), millis(open - start), millis(joined - start));
        }
    }

    private static void reduce(Communicator communicator) {
        DeviceBuffer buffer = communicator.allocate(BYTES);
        communicator.allReduce(buffer, buffer, DataType.FLOAT16, ReduceOp.SUM).join();
    }

    private static long start() {
        String start = System.getenv("START_NANOS");
        if (start == null) {
            throw new IllegalArgumentException("START_NANOS is not set; start this by first-allreduce.sh");
        }
        return Long.parseLong(start);
    }

    private static long nanos() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
