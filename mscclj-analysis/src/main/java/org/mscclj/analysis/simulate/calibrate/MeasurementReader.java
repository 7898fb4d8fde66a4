package org.mscclj.analysis.simulate.calibrate;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.document.JsonCursor;
import org.mscclj.plan.document.JsonFile;

/** Reads the measurements in the output of {@code mscclj perf --json} that a simulation can be compared with. */
public final class MeasurementReader {
    private MeasurementReader() {}

    /**
     * Reads a file.
     *
     * @return the measured times by size; those out of place precede those in place
     * @throws InvalidArgumentException if the file cannot be read or is no measurement; the message is one line that
     *     names the position of the fault
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
