package org.mscclj.analysis.simulate.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;

/** Written topologies are read back equal, and messages name faults of a file. */
class TopologyFilesTest {
    private static final String GOOD =
            TopologyWriter.write(Presets.find("h200x8-nodes:3").orElseThrow());

    @ParameterizedTest
    @ValueSource(
            strings = {"h200x4", "h200x8", "h200x8-nodes:2", "h200x8-nodes:512", "mi250x8", "mi300x8", "mi355x8", "host"
            })
    void everyPresetIsReadBackEqual(String name) {
        Topology preset = Presets.find(name).orElseThrow();
        assertEquals(name, preset.name());
        assertEquals(preset, TopologyReader.read(TopologyWriter.write(preset), "round trip"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"nodes\": 3 | \"nodes\": 0 | file.json: topology: nodes is 0; allowed: 1 or more",
                "\"nodes\": 3 | \"nodes\": -1 | file.json: nodes: given is -1; allowed: an integer from 0 to 2147483647",
                "\"rails\" | \"reels\" | file.json: topology: topology h200x8-nodes:3 has 3 nodes and no rails;"
                        + " describe the connection of the nodes in rails",
                "\"switch\" | \"ring\" | file.json: fabric.kind: given is \"ring\"; allowed: one of switch,"
                        + " point_to_point, shared_memory",
                "\"link_bandwidth\" | \"links\" | file.json: fabric: key link_bandwidth is missing",
                "\"memory_bandwidth\": 4800.0 | \"memory_bandwidth\": 0 | file.json: fabric: memory_bandwidth"
                        + " is 0.0; allowed: more than 0 bytes per nanosecond",
                "\"read_latency\" | \"latency_of_reads\" | file.json: fabric: key read_latency is missing",
                "\"read_request\": 0.096 | \"read_request\": -1 | file.json: fabric: read_request is -1.0;"
                        + " allowed: 0 or more bytes for each byte",
                "\"fused_lines\" | \"lines\" | file.json: costs: key fused_lines is missing",
                "\"block_copy\" | \"block\" | file.json: costs: key block_copy is missing",
                "\"launch\": 502.0 | \"launch\": \"fast\" | file.json: costs.launch: given is \"fast\";"
                        + " allowed: a number",
                "\"launch\": 502.0 | \"launch\": -1 | file.json: costs: launch is -1.0; allowed: 0 or more nanoseconds",
            })
    void messageNamesTheFault(String good, String bad, String message) {
        String broken = GOOD.replace(good, bad);
        InvalidArgumentException refusal =
                assertThrows(InvalidArgumentException.class, () -> TopologyReader.read(broken, "file.json"));
        assertEquals(message, String.valueOf(refusal.getMessage()).replaceAll(" \\(line.*", ""));
    }

    @Test
    void otherFilesAreRefused() {
        assertThrows(InvalidArgumentException.class, () -> TopologyReader.read("[]", "file.json"));
        assertThrows(InvalidArgumentException.class, () -> TopologyReader.read("", "file.json"));
        assertThrows(InvalidArgumentException.class, () -> Presets.find("h200x8-nodes:513"));
    }
}
