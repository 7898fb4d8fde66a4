package org.mscclj.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Sources;
import org.mscclj.cli.measure.Times;

/** The report of times with a large spread. */
class SpreadTest {
    @Test
    void medianLeastAndNineOfTen() {
        Times times = Times.of(List.of(4e3, 1e3, 2e3, 3e3, 50e3, 5e3, 6e3, 7e3, 8e3, 9e3), 1);
        assertEquals(new Times(5.5, 1, 3, 8, 9), times);
        assertEquals(100 * 5 / 5.5, times.quartilePercent(), 1e-9);
        assertTrue(times.isDisturbed());
        assertFalse(Times.of(List.of(1e3, 3e3, 3e3), 1).isDisturbed());
    }

    @Test
    void uselessTimesAreReported() {
        List<String> lines =
                Spread.of(List.of(row(1024, new Times(2, 1, 1.5, 2.5, 3)), row(4096, new Times(85, 1, 80, 90, 100))));
        assertEquals(2, lines.size());
        assertEquals(
                "spread: medians are at most 2.00 times the least; the middle half of the samples spans at most"
                        + " 50.0 % of the median; nine of ten take at most 1.50 times the median",
                lines.getFirst());
        assertTrue(lines.getLast().contains("the machine was busy: 1 of 2 times are no results"), lines::toString);
        assertTrue(lines.getLast().contains("85 times for 4096 bytes"), lines::toString);
    }

    @Test
    void withoutTimesNothingIsPrinted() {
        assertEquals(List.of(), Spread.of(List.of()));
    }

    private static PerfRow row(long bytes, Times times) {
        CheckedCall shape = new CheckedCall(
                Collective.ALLREDUCE, 2, true, bytes / 4, DataType.FLOAT32, ReduceOp.SUM, Sources.root(0));
        return new PerfRow(Map.of(
                BufferPlacement.IN_PLACE,
                new Measurement(shape, "ring", Optional.empty(), Optional.of(times), OptionalLong.of(0), List.of())));
    }
}
