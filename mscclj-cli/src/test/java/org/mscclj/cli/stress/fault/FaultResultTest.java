package org.mscclj.cli.stress.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

class FaultResultTest {
    private final List<String> told = new ArrayList<>();
    private final FaultResult result = new FaultResult(
            "kills",
            "until a rank says so",
            new FaultSettings(4, 4, "host", Duration.ofMinutes(1), Duration.ofSeconds(1), List.of(), 7, told::add));

    /** A reader that is interrupted before the end has seen the failures. */
    @Test
    void failuresArePrintedAtOnce() {
        result.begin();
        assertEquals(List.of(), told);
        result.failed("barrier", "no rank says anything");
        assertEquals(List.of("kills, case 1: barrier: no rank says anything"), told);
    }

    @Test
    void medianAndWorstArePrinted() {
        result.begin();
        result.took("barrier", 3_000_000);
        result.took("barrier", 1_000_000);
        result.took("broadcast", 2_000_000);
        assertTrue(result.isPassed());
        assertEquals(
                "1 case, until a rank says so: median 2.00 ms, worst 3.00 ms, limit 1000 ms; 0 failures",
                result.summary());
        String json = JsonWriter.document(JsonLayout.REPORT, result::write);
        assertTrue(json.contains("\"passed\" : true"), json);
        assertTrue(json.contains("\"medianMillis\" : 2.0"), json);
    }

    @Test
    void theWholeLimitIsPrinted() {
        result.begin();
        result.begin();
        result.took("barrier", 4_000_000_000L, Duration.ofMillis(5500));
        result.took("barrier", 1_000_000);
        result.failed("barrier", "no rank says anything");
        assertEquals(
                "2 cases, until a rank says so: median 2000.50 ms, worst 4000.00 ms, limit 6500 ms (1000 ms, and at"
                        + " most 5500 ms until the fault can show); 1 failure",
                result.summary());
    }

    @Test
    void aTimeAboveTheLimitIsAFailure() {
        result.took("barrier", 1_000_000_000);
        result.took("barrier", 2_000_000_000, Duration.ofSeconds(1));
        assertTrue(result.isPassed());
        result.took("barrier", 1_000_000_001);
        assertFalse(result.isPassed());
        result.took("barrier", 2_100_000_000, Duration.ofSeconds(1));
        result.failed("broadcast", "no rank says anything");
        List<String> failures = result.details().stream()
                .filter(line -> line.startsWith("  failed: "))
                .toList();
        assertEquals(
                List.of(
                        "  failed: barrier: took 1000.0 ms, where 1000.0 ms are allowed",
                        "  failed: barrier: took 2100.0 ms, where 2000.0 ms are allowed",
                        "  failed: broadcast: no rank says anything"),
                failures);
    }
}
