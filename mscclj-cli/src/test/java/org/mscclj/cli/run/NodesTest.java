package org.mscclj.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.cli.CommandLineRun;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.measure.OperationSource;
import org.mscclj.cli.ranks.RankSettings;
import org.mscclj.cli.ranks.ThreadRanks;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/** Ranks on simulated nodes. {@code -Dmscclj.seed=N} repeats a run. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodesTest {
    private static final long SEED = Long.getLong("mscclj.seed", System.nanoTime() & 0xffff_ffffL);

    @Test
    void portChannelsLeadFromNodeToNode() {
        System.out.println("NodesTest: -Dmscclj.seed=" + SEED);
        Plan plan = PlanReader.read(Path.of(CommandLineRun.example("sendrecv_port_2ranks")));
        LocalGroupOptions options = LocalGroupOptions.ranks(2)
                .ranksPerNode(1)
                .timeout(Duration.ofSeconds(60))
                .name("nodes");
        new ThreadRanks(options).run(RankSettings.of(options.timeout()), session -> {
            for (long count : new long[] {1, 3, 1_000_001, 77, 0, 12_345}) {
                CheckedCall shape = PlanShape.of(plan, count, DataType.FLOAT32, DefaultReduceOp.of(plan));
                OperationSource operation = (communicator, input, output) ->
                        communicator.prepare(PlanCall.of(plan, input, output, DataType.FLOAT32));
                try (MeasuredCall call = MeasuredCall.prepare(session, shape, operation)) {
                    for (int launch = 0; launch < 3; launch++) {
                        assertEquals(List.of(), call.check(SEED + launch).sentences(), "-Dmscclj.seed=" + SEED);
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"allreduce_ring_4ranks", "broadcast_4ranks", "allreduce_multicast_2ranks"})
    void plansThatWouldMapMemoryOfAnotherNodeAreRefused(String name) {
        CommandLineRun run = CommandLineRun.of("run", CommandLineRun.example(name), "--ranks-per-node", "1");
        assertEquals(1, run.code(), run.err());
        assertEquals(1, run.errors().size(), run.err());
        assertTrue(run.err().contains("channel between ranks 0 and "), run.err());
        assertTrue(run.err().contains("use a plan with port channels between them"), run.err());
    }
}
