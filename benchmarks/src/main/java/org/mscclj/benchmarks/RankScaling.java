package org.mscclj.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;

/**
 * Measures the time of many ranks relative to two, for the same bytes in all ranks together: the cost of scheduling
 * many ranks on few cores. Each configuration is measured in two ways: every rank's thread joins each launch, so all
 * threads must run for each launch; and launches are enqueued one after the other and joined once, as nccl-tests does.
 * Rounds of all configurations alternate, because the machine may be shared; medians are compared.
 *
 * <pre>RankScaling [total bytes] [rounds]</pre>
 */
public final class RankScaling {
    /** A configuration: a plan with a number of blocks, or the communicator's own choice. */
    private record Configuration(int ranks, int blocks) {
        boolean isChosen() {
            return blocks == CHOSEN;
        }
    }

    private static final int CHOSEN = 0;

    private static final List<Configuration> CONFIGURATIONS = List.of(
            new Configuration(2, 1),
            new Configuration(2, 8),
            new Configuration(4, 8),
            new Configuration(8, 8),
            new Configuration(16, 1),
            new Configuration(16, 8),
            new Configuration(16, 32),
            new Configuration(2, CHOSEN),
            new Configuration(16, CHOSEN));

    /**
     * The JIT compiler compiles the code of launches with few blocks late, because each launch executes little of it.
     */
    private static final int WARM_UP_ROUNDS = 4;

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private RankScaling() {}

    /**
     * Prints a table: ranks, blocks, and for both ways the milliseconds of an allreduce and their ratio to two ranks
     * with one block, or, for the communicator's own choice, to its choice for two ranks.
     */
    public static void main(String[] args) {
        long total = args.length > 0 ? Long.parseLong(args[0]) : 64L << 20;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 9;
        Map<Configuration, double[][]> millis = new LinkedHashMap<>();
        for (Configuration configuration : CONFIGURATIONS) {
            millis.put(configuration, new double[Way.values().length][rounds]);
        }
        for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
            for (Map.Entry<Configuration, double[][]> entry : millis.entrySet()) {
                for (Way way : Way.values()) {
                    double time = measure(entry.getKey(), total, way);
                    if (round >= 0) { // earlier rounds are warm-up
                        entry.getValue()[way.ordinal()][round] = time;
                    }
                }
            }
        }
        System.out.printf(Locale.ROOT, "allreduce float32, %d bytes in all ranks together%n", total);
        System.out.printf(
                Locale.ROOT,
                "%6s %7s %12s %7s %14s %7s%n",
                "ranks",
                "blocks",
                "joined(ms)",
                "ratio",
                "enqueued(ms)",
                "ratio");
        double[] base = medians(millis.get(CONFIGURATIONS.getFirst()));
        for (Map.Entry<Configuration, double[][]> entry : millis.entrySet()) {
            double[] median = medians(entry.getValue());
            if (entry.getKey().equals(new Configuration(2, CHOSEN))) {
                base = median;
            }
            System.out.printf(
                    Locale.ROOT,
                    "%6d %7s %12.2f %7.2f %14.2f %7.2f%n",
                    entry.getKey().ranks(),
                    entry.getKey().isChosen() ? "chosen" : entry.getKey().blocks(),
                    median[0],
                    median[0] / base[0],
                    median[1],
                    median[1] / base[1]);
        }
    }

    private static double[] medians(double[][] times) {
        return Arrays.stream(times)
                .mapToDouble(ofWay -> Arrays.stream(ofWay).sorted().toArray()[ofWay.length / 2])
                .toArray();
    }

    /** Milliseconds of one allreduce on the slowest rank. */
    private static double measure(Configuration configuration, long total, Way way) {
        int ranks = configuration.ranks();
        long bytes = total / ranks;
        int launches = Math.clamp((6L << 30) / total, 20, 1000);
        long[] nanos = new long[ranks];
        try (LocalGroup group = LocalGroup.open(ranks)) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(bytes);
                try (PreparedOperation operation = prepare(configuration, communicator, buffer)) {
                    way.launch(operation, launches / 4); // new threads and cold caches
                    communicator.barrier();
                    long start = System.nanoTime();
                    way.launch(operation, launches);
                    nanos[communicator.rank()] = System.nanoTime() - start;
                }
                communicator.barrier();
                buffer.close();
            });
        }
        return Arrays.stream(nanos).max().orElseThrow() / 1e6 / launches;
    }

    private static PreparedOperation prepare(
            Configuration configuration, Communicator communicator, DeviceBuffer buffer) {
        if (configuration.isChosen()) {
            return communicator.prepare(CollectiveCall.allReduce(buffer, DataType.FLOAT32));
        }
        ExecutionPlan plan = DirectAllReduce.plan(configuration.ranks(), configuration.blocks());
        return communicator.prepare(PlanCall.of(plan, buffer, buffer, DataType.FLOAT32));
    }

    private enum Way {
        JOINED {
            @Override
            void launch(PreparedOperation operation, int times) {
                for (int i = 0; i < times; i++) {
                    operation.run(LIMIT);
                }
            }
        },
        ENQUEUED {
            @Override
            void launch(PreparedOperation operation, int times) {
                for (int i = 0; i < times; i++) {
                    operation.launch();
                }
                operation.join(LIMIT);
            }
        };

        abstract void launch(PreparedOperation operation, int times);
    }
}
