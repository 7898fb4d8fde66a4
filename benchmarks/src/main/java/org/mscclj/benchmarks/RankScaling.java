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
 * How much more time many ranks take than two, for the same bytes in all ranks together: what scheduling many ranks on
 * few cores costs. Each is measured in two ways: every rank's thread joins each launch, so that all threads have to run
 * once a launch; and launches are enqueued one after the other and joined once, as nccl-tests does. Rounds of all
 * configurations alternate, because the machine may be shared; medians are compared.
 *
 * <pre>RankScaling [total bytes] [rounds]</pre>
 */
public final class RankScaling {
    /**
     * What is measured: a plan of so many blocks, or, without a number of them, what a communicator chooses by itself.
     */
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

    /** Code of launches with few blocks is compiled late: each launch brings little of it. */
    private static final int WARM_UP_ROUNDS = 4;

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private RankScaling() {}

    /**
     * Prints a table: ranks, blocks, and for both ways the time of an allreduce in milliseconds and its ratio to two
     * ranks: of one block, or for what communicators choose, to what they choose for two ranks.
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
                    if (round >= 0) { // the rounds before are for the compiler
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

    /** Milliseconds of one allreduce, of the slowest rank. */
    private static double measure(Configuration configuration, long total, Way way) {
        int ranks = configuration.ranks();
        long bytes = total / ranks;
        int launches = Math.clamp((6L << 30) / total, 20, 1000);
        long[] nanos = new long[ranks];
        try (LocalGroup group = LocalGroup.open(ranks)) {
            group.run(communicator -> {
                DeviceBuffer buffer = communicator.allocate(bytes);
                try (PreparedOperation operation = prepare(configuration, communicator, buffer)) {
                    way.launch(operation, launches / 4); // threads have just started, memory is new to the caches
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
