package org.mscclj.analysis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/**
 * Valid plans that look right for one schedule, one size or three launches, and are wrong; and correct ones beside
 * them. Each of the wrong ones failed in a schedule of the host engine, or in a kernel.
 */
class DeceptivePlansTest {
    private static Verdict verdict(String name) {
        return Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> Verifier.verify(plan(name)));
    }

    private static Plan plan(String name) throws IOException {
        try (InputStream in = DeceptivePlansTest.class.getResourceAsStream(name + ".json")) {
            return PlanReader.read(new String(in.readAllBytes(), StandardCharsets.UTF_8), name);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "allreduce_input_destroyed, WRONG_RESULT",
        "reduce_input_destroyed, WRONG_RESULT",
        "put_sizes_2_1_missing, WRONG_RESULT",
        "pws_same_channel_twice, RACE",
        "packet_twice, RACE",
        "stale_over_packet, RACE",
        "repkt_shift, RACE",
        "res_overlapping_dsts, RACE",
        "flush_other_block, RACE",
        "groups_4_6, RACE",
        "pipeline_zero, WRONG_RESULT",
        "pipeline_zero_packets, NO_PROGRESS",
        "describe_blowup, WRONG_RESULT",
        "diamond8_10, RACE",
    })
    void isRefuted(String name, Finding.Kind kind) {
        Verdict verdict = verdict(name);
        assertTrue(verdict.isRefuted(), verdict::toString);
        assertEquals(kind, verdict.findings().getFirst().kind(), verdict::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "barrier_hang, barrier 0",
        "barrier_mix, barrier 0",
        "barrier_reused_right, barrier 0",
        "port_two_blocks, port channel #0",
        "proxy_knows_other_block, port channel #0",
        "drift, more often than it waits",
        "packet_equal_late, write equal packets",
        "packet_late_next_launch, write equal packets",
        "packet_two_writers, write equal packets",
        "pipeline_units_hang, '[16, 32] bytes'",
        "num_chunks_overflow, 2147483648 operations",
        "racy_but_undecided, semaphore #0 of rank 0",
    })
    void isNotProvedForAReason(String name, String reason) {
        Verdict verdict = verdict(name);
        assertFalse(verdict.isProved(), verdict::toString);
        Optional<Finding> finding = verdict.findings().stream()
                .filter(one -> one.kind() == Finding.Kind.UNDECIDED)
                .findFirst();
        assertTrue(finding.isPresent() && finding.get().message().contains(reason), verdict::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "put_sizes_1_2_right",
        "put_sizes_2_1_crash",
        "pipeline_zero_right",
        "pipeline_zero_right_barrier",
        "several_right",
    })
    void isProved(String name) {
        Verdict verdict = verdict(name);
        assertTrue(verdict.isProved(), verdict::toString);
    }

    @Test
    void proofNamesTheRoot() {
        assertEquals(Set.of(1), verdict("broadcast_root1").roots());
    }

    /** One operation on three values rounds once, two operations twice. */
    @Test
    void bitsDifferBetweenOneOperationAndTwo() {
        Verdict verdict = verdict("equal_bits");
        assertTrue(verdict.isProved(), verdict::toString);
        assertFalse(verdict.equalBits());
    }
}
