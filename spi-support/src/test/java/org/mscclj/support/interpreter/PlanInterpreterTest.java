package org.mscclj.support.interpreter;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/** Plans of all families of operations but port channels, which the conformance suite runs with a proxy. */
class PlanInterpreterTest {
    private static final int COUNT = 1021; // of which no number of ranks or chunks is a divisor
    private static final long ONE_ROUND = 4096;
    private static final long MANY_ROUNDS = 128;
    private static final int LAST_BUT_ONE = -2;

    private static Plan plan(String name) {
        return PlanReader.read(Path.of("../examples/plans", name + ".json"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allreduce_ring_4ranks", // copies, signals, waits, reductions
                "allreduce_direct_4ranks", // reductions of memory of peers
                "allreduce_packets_2ranks",
                "allreduce_multicast_2ranks"
            })
    void launchesComputeTheSum(String name) throws InterruptedException {
        for (long slot : new long[] {ONE_ROUND, MANY_ROUNDS}) {
            try (InterpretedRanks ranks = new InterpretedRanks(plan(name), COUNT, slot, 1, true)) {
                for (int launch = 0; launch < 4; launch++) {
                    ranks.launchAndCheck(launch);
                }
            }
        }
    }

    /** The second launch has the last flag, and the third the first one. */
    @Test
    void flagsWrap() throws InterruptedException {
        try (InterpretedRanks ranks =
                new InterpretedRanks(plan("allreduce_packets_2ranks"), COUNT, ONE_ROUND, LAST_BUT_ONE, true)) {
            for (int launch = 0; launch < 6; launch++) {
                ranks.launchAndCheck(launch);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"allreduce_ring_4ranks", "allreduce_packets_2ranks"})
    void anAbortEndsTheWaitForAMissingRank(String name) throws InterruptedException {
        try (InterpretedRanks ranks = new InterpretedRanks(plan(name), COUNT, ONE_ROUND, 1, true)) {
            CountDownLatch ended = new CountDownLatch(1);
            Thread waiting = ranks.start(0, ended::countDown);
            assertTrue(!ended.await(50, TimeUnit.MILLISECONDS), "a launch ended without its peer");
            ranks.abort.set("test");
            assertTrue(ended.await(60, TimeUnit.SECONDS), "the launch does not end");
            waiting.join();
        }
    }

    @Test
    void memoryThatIsNotMappedIsRefused() {
        try (InterpretedRanks ranks = new InterpretedRanks(plan("allreduce_ring_4ranks"), COUNT, ONE_ROUND, 1, false)) {
            UnsupportedException refusal = assertThrows(UnsupportedException.class, () -> ranks.requireMapped(2));
            assertTrue(refusal.getMessage().contains("rank 2"), refusal::getMessage);
            assertTrue(refusal.getMessage().contains("not mapped here"), refusal::getMessage);
        }
    }
}
