package org.mscclj.support.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;
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

    /** One rank, which has sent packets to itself. */
    private static Plan placed(int place) {
        StringBuilder operations = new StringBuilder();
        for (int packet = 0; packet < 3; packet++) {
            operations.append("""
                    {"name": "cpkt", "src_buff": [{"type": "i", "index": %d, "size": 1}],
                     "dst_buff": [{"type": "s", "index": %d, "size": 1}]},
                    """.formatted(packet + 1, packet));
        }
        return PlanReader.read("""
                {"name": "placed", "collective": "test", "protocol": "LL", "inplace": false, "gpus": [
                  {"id": 0, "input_chunks": 4, "output_chunks": 4, "scratch_chunks": 3,
                   "threadblocks": [{"id": 0, "ops": [
                    %s
                    {"name": "repkt", "plain_place": %d, "src_buff": [{"type": "i", "index": 0, "size": 1},
                      {"type": "s", "index": 0, "size": 1}, {"type": "s", "index": 1, "size": 1},
                      {"type": "s", "index": 2, "size": 1}], "dst_buff": [{"type": "o", "index": 0, "size": 1}]}]}]}],
                 "buffer_alignment": 16}
                """.formatted(operations, place), "placed");
    }

    /** 1, 2<sup>24</sup> and −2<sup>24</sup> arrive in packets; in float32, 2<sup>24</sup> + 1 is 2<sup>24</sup>. */
    @ParameterizedTest
    @CsvSource({"0,2", "1,2", "2,0", "3,1"})
    void aPlainOperandIsCombinedAtItsPlace(int place, float sum) throws InterruptedException {
        float[] chunks = {1, 1, 1 << 24, -(1 << 24)};
        int ofChunk = 4;
        int elements = chunks.length * ofChunk;
        try (InterpretedRanks ranks =
                new InterpretedRanks(placed(place), DataType.FLOAT32, elements, ONE_ROUND, 1, true)) {
            for (int i = 0; i < elements; i++) {
                ranks.input(0).segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, chunks[i / ofChunk]);
            }
            ranks.start(0, () -> {}).join();
            assertEquals(sum, ranks.output(0).segment().getAtIndex(ValueLayout.JAVA_FLOAT, ofChunk - 1));
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
