package org.mscclj.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.CommandLineRun;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.LaunchFindings;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.ranks.LaunchDelay;
import org.mscclj.cli.ranks.RankSettings;
import org.mscclj.cli.ranks.ThreadRanks;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/**
 * Every plan in the folder that the system property {@code mscclj.plans} names: types, packet formats, and ten launches
 * of changing size in a row on ranks that drift. {@code -Dmscclj.seed=N} repeats a run.
 */
class ExternalPlansTest {
    private static final List<DataType> TYPES =
            List.of(DataType.FLOAT32, DataType.FLOAT16, DataType.BFLOAT16, DataType.INT32);

    private static final long SEED = Long.getLong("mscclj.seed", System.nanoTime() & 0xffff_ffffL);
    private static final int[] ORDER = {0, 3, 1, 2, 0, 1, 3, 2, 1, 0};

    @TestFactory
    Stream<DynamicTest> everyPlanIsRight() throws IOException {
        return plans().stream()
                .map(file -> DynamicTest.dynamicTest(
                        file.getFileName().toString(),
                        ExternalPlans.isReadable(file) ? () -> isRight(file) : () -> isRefused(file)));
    }

    /** Plans whose memory channels stay within blocks of ranks: their port channels then connect nodes, by TCP. */
    @TestFactory
    Stream<DynamicTest> portPlansAreRightBetweenNodes() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : plans()) {
            if (ExternalPlans.isReadable(file)) {
                Plan plan = PlanReader.read(file);
                NodeSizes.of(plan)
                        .forEach(ranksPerNode -> tests.add(DynamicTest.dynamicTest(
                                file.getFileName() + ", " + ranksPerNode + " on each node",
                                () -> isRight(file, plan, DataType.FLOAT32, PacketType.LL16, ranksPerNode))));
            }
        }
        assertTrue(!tests.isEmpty(), "no plan has port channels between nodes");
        return tests.stream();
    }

    private static List<Path> plans() throws IOException {
        System.out.println("ExternalPlansTest: -Dmscclj.seed=" + SEED);
        return ExternalPlans.files();
    }

    private static void isRefused(Path file) {
        CommandLineRun run = CommandLineRun.of("run", file.toString());
        assertEquals(1, run.code());
        assertEquals(1, run.errors().size(), run.err());
        assertTrue(run.err().contains(file.toString()), run.err());
    }

    private static void isRight(Path file) {
        Plan plan = PlanReader.read(file);
        List<PacketType> packets = plan.usesPackets() ? List.of(PacketType.values()) : List.of(PacketType.LL16);
        for (DataType type : TYPES) {
            for (PacketType packet : packets) {
                isRight(file, plan, type, packet, plan.worldSize());
            }
        }
    }

    private static void isRight(Path file, Plan plan, DataType type, PacketType packet, int ranksPerNode) {
        ReduceOp op = DefaultReduceOp.of(plan);
        long[] counts = PlanCounts.of(plan, PlanShape.of(plan, 1, type, op));
        Duration timeout = Duration.ofSeconds(30);
        LocalGroupOptions options = LocalGroupOptions.ranks(plan.worldSize())
                .ranksPerNode(ranksPerNode)
                .timeout(timeout)
                .name(plan.name());
        boolean racy = PlanCounts.isRacy(file);
        new ThreadRanks(options).run(new RankSettings(timeout, new Drift(plan.worldSize())), session -> {
            for (int launch = 0; launch < ORDER.length; launch++) {
                CheckedCall shape = PlanShape.of(plan, counts[ORDER[launch]], type, op);
                try (MeasuredCall call =
                        MeasuredCall.prepare(session, shape, PlanPart.operation(plan, shape, packet))) {
                    LaunchFindings verdict = call.check(SEED + launch);
                    assertTrue(
                            racy || verdict.isRight(),
                            () -> shape.count() + " " + type + " " + packet + " -Dmscclj.seed=" + SEED + ": "
                                    + verdict.sentences());
                }
            }
        });
    }

    /** Delays each rank by a random time. */
    private static final class Drift implements LaunchDelay {
        private static final int MAX_NANOS = 300_000;

        private final List<SplittableRandom> randoms;

        Drift(int ranks) {
            randoms = IntStream.range(0, ranks)
                    .mapToObj(rank -> new SplittableRandom(SEED + rank))
                    .toList();
        }

        @Override
        public void beforeLaunch(int rank) {
            LockSupport.parkNanos(randoms.get(rank).nextInt(MAX_NANOS));
        }
    }
}
