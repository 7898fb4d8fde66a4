package org.mscclj.analysis.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.analysis.simulate.topology.Presets;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.plan.Plan;

/** Simulations end or are refused, and long ones report progress. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongSimulationsTest {
    private static final Topology TOPOLOGY = Presets.find("host").orElseThrow();

    @Test
    void aPipelineOfBillionsOfIterationsIsRefused() {
        for (long bytes : new long[] {16, 1 << 20, 1L << 50}) {
            UnsupportedException e = assertThrows(
                    UnsupportedException.class,
                    () -> Simulator.simulate(
                            plan(Integer.MAX_VALUE), TOPOLOGY, bytes, SimulationOptions.DEFAULT.withoutSpans()));
            assertTrue(String.valueOf(e.getMessage()).contains("follows at most 100000000"), e.getMessage());
        }
    }

    @Test
    void longSimulationsReportProgress() {
        List<Long> done = new ArrayList<>();
        Simulator.simulate(
                plan(1_500_000), TOPOLOGY, 16, SimulationOptions.DEFAULT.withoutSpans(), (operations, all) -> {
                    done.add(operations);
                    assertEquals(3_000_000, all);
                });
        assertEquals(List.of(1L << 20, 2L << 20), done);
    }

    /** A pipeline of two operations over a number of chunks, though the buffers have one. */
    private static Plan plan(int chunks) {
        AlgoSpec spec = AlgoSpec.builder("long", ProgramCollective.allReduce(1, 1, false))
                .build();
        return CollectiveProgram.define(
                        spec,
                        program -> program.pipeline(16, chunks, () -> {
                            Rank rank = program.rank(0);
                            rank.copy(rank.output().whole(), rank.input().whole(), 0);
                            rank.barrier(List.of(0));
                        }))
                .compile();
    }
}
