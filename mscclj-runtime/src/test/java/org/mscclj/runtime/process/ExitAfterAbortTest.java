package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application may exit at once when an operation has failed. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExitAfterAbortTest {
    @Test
    void dumpsAreWrittenBeforeTheProcessEnds(@TempDir Path folder) throws Exception {
        Process process = ModuleJvm.start(
                Map.of("MSCCLJ_DEBUG_DUMP_DIR", folder.toString(), "MSCCLJ_DEBUG_SOCKET", "0"), ExitAfterAbort.class);
        assertEquals(
                7,
                process.waitFor(),
                () -> String.join("\n", process.inputReader().lines().toList()));
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> dumps = files.sorted().toList();
            assertEquals(2, dumps.size(), dumps::toString);
            for (Path dump : dumps) {
                assertTrue(Files.readString(dump).contains("\"aborted\":\"on purpose"), dump::toString);
            }
        }
    }
}
