package org.mscclj.conformance.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;

class ModeTest {
    @Test
    void namesAreParsed() {
        for (Mode mode : Mode.values()) {
            assertSame(mode, Mode.parse(mode.label()));
        }
        assertEquals("process-nodes", Mode.PROCESS_NODES.label());
    }

    @Test
    void processesHaveTheNodesOfThreads() {
        for (int world : List.of(1, 2, 3, 4, 5, 6, 8)) {
            assertEquals(Mode.NODES.ranksPerNode(world), Mode.PROCESS_NODES.ranksPerNode(world));
            assertEquals(world, Mode.PROCESSES.ranksPerNode(world));
        }
        assertEquals(2, Mode.PROCESS_NODES.ranksPerNode(4));
    }
}
