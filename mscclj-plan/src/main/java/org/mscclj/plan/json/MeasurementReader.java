package org.mscclj.plan.json;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.simulate.calibrate.MeasuredTime;

/** Reads what {@code mscclj perf --json} writes, as far as a simulation can be compared with it. */
public final class MeasurementReader {
    private MeasurementReader() {}

    /**
     * Reads a file.
     *
     * @return the times that were measured, by size; those out of place before those in place
     * @throws InvalidArgumentException if it cannot be read or is no measurement; one line that says where the fault is
     */
    public static List<MeasuredTime> read(Path file) {
        return read(JsonFile.bytes(file, "measurement"), file.toString());
    }

    /**
     * Reads a measurement from text.
     *
     * @param json the measurement
     * @param origin where it comes from, for messages
     * @throws InvalidArgumentException if it is no measurement
     */
    public static List<MeasuredTime> read(String json, String origin) {
        return read(json.getBytes(StandardCharsets.UTF_8), origin);
    }

    private static List<MeasuredTime> read(byte[] json, String origin) {
        JsonFile.requireSize(json, origin);
        return JsonCursor.read(json, origin, "measurement", MeasurementParser::times);
    }
}
