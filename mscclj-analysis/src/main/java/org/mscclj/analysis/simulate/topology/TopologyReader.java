package org.mscclj.analysis.simulate.topology;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.document.JsonCursor;
import org.mscclj.plan.document.JsonFile;

/**
 * Reads topology files. All keys are required except {@code rails}, which only several nodes need; unknown keys are
 * ignored. {@code docs/simulator.md} describes the format.
 */
public final class TopologyReader {
    private TopologyReader() {}

    /**
     * Reads a file.
     *
     * @throws InvalidArgumentException if it cannot be read or is no valid topology; the message is one line that names
     *     the position of the fault
     */
    public static Topology read(Path file) {
        return read(JsonFile.bytes(file, "topology"), file.toString());
    }

    /**
     * Reads a topology from text.
     *
     * @param json the topology
     * @param origin the origin of the text, for messages
     * @throws InvalidArgumentException if it is no valid topology
     */
    public static Topology read(String json, String origin) {
        return read(json.getBytes(StandardCharsets.UTF_8), origin);
    }

    private static Topology read(byte[] json, String origin) {
        JsonFile.requireSize(json, origin);
        return JsonCursor.read(json, origin, "topology", TopologyParser::topology);
    }
}
