package org.mscclj.analysis.simulate.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;

/** Reads the output of {@code mscclj perf --json}. */
class MeasurementReaderTest {
    private static final String GOOD = """
            {"collective": "allgather", "ranks": 4, "ranks_per_node": 2, "backend": "host", "root": -1, "peer": null,
             "results": [
               {"size": 4096, "count": 256,
                "out_of_place": {"algorithm": "direct", "time_us": 1.5, "least_us": 1.25, "wrong": 0},
                "in_place": {"algorithm": "packets", "time_us": null, "wrong": 3}},
               {"size": 8192, "count": 512, "out_of_place": null,
                "in_place": {"algorithm": "packets", "time_us": 2.0, "wrong": 0}}]}
            """;

    @Test
    void timesAreReadAndWrongResultsLeftOut() {
        List<MeasuredTime> times = MeasurementReader.read(GOOD, "perf.json");
        assertEquals(
                List.of(
                        new MeasuredTime("direct", Collective.ALLGATHER, 4, 2, 0, false, 4096, 1500),
                        new MeasuredTime("packets", Collective.ALLGATHER, 4, 2, 0, true, 8192, 2000)),
                times);
        assertEquals(1024, times.getFirst().sliceBytes());
    }

    @Test
    void messageNamesTheFault() {
        InvalidArgumentException refusal = assertThrows(
                InvalidArgumentException.class,
                () -> MeasurementReader.read(GOOD.replace("1.5", "\"long\""), "perf.json"));
        assertEquals(
                "perf.json: results[0].out_of_place.time_us: given is \"long\"; allowed: a number",
                String.valueOf(refusal.getMessage()).replaceAll(" \\(line.*", ""));
        assertThrows(
                InvalidArgumentException.class,
                () -> MeasurementReader.read(GOOD.replace("\"ranks_per_node\": 2", "\"ranks_per_node\": 3"), "x"));
    }

    @Test
    void impossibleTimesAndRootsAreRefused() {
        for (String root : new String[] {"1e300", "0.5", "-2", "4"}) {
            String text = GOOD.replace("\"root\": -1", "\"root\": " + root);
            assertThrows(InvalidArgumentException.class, () -> MeasurementReader.read(text, "perf.json"), root);
        }
        InvalidArgumentException refusal = assertThrows(
                InvalidArgumentException.class, () -> MeasurementReader.read(GOOD.replace("1.5", "0"), "perf.json"));
        assertEquals(
                "perf.json: results[0].out_of_place.time_us: given is 0.0; allowed: more than 0, or null if"
                        + " nothing was measured",
                String.valueOf(refusal.getMessage()).replaceAll(" \\(line.*", ""));
    }
}
