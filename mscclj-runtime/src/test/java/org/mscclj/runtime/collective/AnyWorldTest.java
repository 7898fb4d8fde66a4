package org.mscclj.runtime.collective;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.local.LocalRanks;

/**
 * Every shipped program is right in every world, with one block and with several, from and to every root: launch after
 * launch, with new data and without a meeting in between, by ranks that drift.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AnyWorldTest {
    private static final int LAUNCHES = 5;

    /** Shares of three leave something over; four is what communicators use. */
    private static final List<Integer> BLOCKS = List.of(1, 3, 4);

    /** So little scratch that the larger messages take several rounds. */
    private static final long SCRATCH_BYTES = 16 << 10;

    private record Run(Plan plan, List<CollectiveCase> launches) {}

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8})
    void everyProgram(int ranks) {
        run(ranks, ranks, EnumSet.complementOf(EnumSet.of(ShippedProgram.TWO_LEVEL)));
    }

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7, 9, 16})
    void everyProgramOfMoreWorlds(int ranks) {
        everyProgram(ranks);
    }

    @ParameterizedTest(name = "{0} nodes of {1} ranks")
    @CsvSource({"2,1", "2,2", "2,3", "3,2"})
    void everyProgramOfTwoLevels(int nodes, int ranksPerNode) {
        run(nodes * ranksPerNode, ranksPerNode, EnumSet.of(ShippedProgram.TWO_LEVEL));
    }

    @Tag("deep")
    @ParameterizedTest(name = "{0} nodes of {1} ranks")
    @CsvSource({"3,1", "4,2", "2,4", "5,3", "4,4"})
    void everyProgramOfTwoLevelsOfMoreWorlds(int nodes, int ranksPerNode) {
        everyProgramOfTwoLevels(nodes, ranksPerNode);
    }

    private static void run(int ranks, int ranksPerNode, Set<ShippedProgram> programs) {
        System.out.println("AnyWorldTest: seed " + ranks);
        List<Run> runs = runs(ranks, ranksPerNode, programs, new Random(ranks));
        try (LocalGroup group = LocalRanks.open(
                LocalGroupOptions.ranks(ranks).ranksPerNode(ranksPerNode).timeout(CollectivesTest.LIMIT),
                new ExecutorOptions(SCRATCH_BYTES, 1))) {
            group.run(communicator -> {
                Random drift = new Random(communicator.rank());
                for (Run run : runs) {
                    launch(communicator, run, drift);
                }
            });
        }
    }

    private static List<Run> runs(int ranks, int ranksPerNode, Set<ShippedProgram> programs, Random random) {
        List<Run> runs = new ArrayList<>();
        for (ShippedProgram program : programs) {
            for (Collective collective : Collective.values()) {
                for (boolean inPlace : new boolean[] {false, true}) {
                    ProgramSpec spec = ProgramSpec.of(collective, ranks)
                            .ranksPerNode(ranksPerNode)
                            .inPlace(inPlace);
                    if (program.refusal(spec).isEmpty()) {
                        runs.add(run(program, spec, random));
                    }
                }
            }
        }
        return runs;
    }

    private static Run run(ShippedProgram program, ProgramSpec spec, Random random) {
        int ranks = spec.ranks();
        int[] counts = {1, 2 * ranks + 1, 333, 4_099};
        int count = counts[random.nextInt(counts.length)];
        CollectiveCase first = CollectivesTest.randomCase(spec.collective(), count, spec.inPlace(), ranks, random);
        List<CollectiveCase> launches = new ArrayList<>();
        for (int launch = 0; launch < LAUNCHES; launch++) {
            launches.add(first.withSeed(random.nextInt()));
        }
        int blocks = BLOCKS.get(random.nextInt(BLOCKS.size()));
        return new Run(program.plan(spec.root(first.root()).blocks(blocks)), launches);
    }

    private static void launch(Communicator communicator, Run run, Random drift) {
        int rank = communicator.rank();
        int ranks = communicator.size();
        CollectiveCase first = run.launches().getFirst();
        DeviceBuffer memory = communicator.allocate(first.memoryBytes(ranks));
        CollectiveCase.Buffers buffers = first.place(memory, rank, ranks);
        PlanCall call = PlanCall.of(run.plan(), buffers.input(), buffers.output(), first.type())
                .op(first.op());
        try (PreparedOperation operation = communicator.prepare(call)) {
            for (CollectiveCase each : run.launches()) {
                each.place(memory, rank, ranks);
                if (drift.nextInt(3) == 0) {
                    LockSupport.parkNanos(drift.nextInt(200_000));
                }
                operation.run(CollectivesTest.LIMIT);
                each.check(buffers, rank, ranks, run.plan().name());
            }
        }
        memory.close();
    }
}
