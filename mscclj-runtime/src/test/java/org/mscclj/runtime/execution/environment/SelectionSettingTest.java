package org.mscclj.runtime.execution.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.preference.SelectionTable;

/** The file that {@code MSCCLJ_SELECTION} names. */
class SelectionSettingTest {
    @TempDir
    private Path folder;

    private ExecutorOptions options(String rows) throws IOException {
        Path file = Files.writeString(folder.resolve("my.selection"), "selection 1\n" + rows);
        return ExecutorOptions.of(Map.of(SelectionSetting.VARIABLE, file.toString()), Optional.empty());
    }

    /** What no call could follow is refused when the file is read, not at the first call. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "allreduce 2 plain | 0 rings 2 | program is \"rings\"",
                "allreduce 2 plain | 0 packets 1025 | thread blocks is 1025; allowed: 1 to 1024",
                "allreduce 4 plain | 0 two_level 1 | program two_level is refused: it is for several nodes",
                "allreduce 4 plain | 0 multicast 1 | program multicast is refused: not every device has the switch",
                "broadcast 4 plain | 0 ring 1 | program ring is refused: there is none for broadcast"
            })
    void rowsThatServeNoCallAreRefused(String section, String row, String reason) {
        InvalidArgumentException refused =
                assertThrows(InvalidArgumentException.class, () -> options(section + "\n" + row));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("my.selection: " + section + ", from 0 bytes on: " + reason), message);
    }

    @Test
    void aFileThatIsMissingIsNamed() {
        Map<String, String> environment =
                Map.of(SelectionSetting.VARIABLE, folder.resolve("none").toString());
        InvalidArgumentException refused =
                assertThrows(InvalidArgumentException.class, () -> ExecutorOptions.of(environment, Optional.empty()));
        assertTrue(String.valueOf(refused.getMessage()).contains("MSCCLJ_SELECTION is \""), refused::getMessage);
    }

    /** Lines that are switched off stay off: a device's preference without lines has none with a table either. */
    @Test
    void tablesAndLimitsReplaceThoseOfTheDevice() throws IOException {
        ExecutorOptions options = options("allreduce 2 registered\n0 packets_ll128 4");
        ProgramPreference changed = options.preference(ProgramPreference.GPU.withoutLines());
        assertEquals(options.selection(), changed.table());
        assertEquals(ProgramPreference.GPU.scratchLimit(), changed.scratchLimit());
        assertEquals(false, changed.hasLines());
        assertEquals(
                SelectionTable.EMPTY,
                ExecutorOptions.DEFAULT.preference(ProgramPreference.GPU).table());
        assertEquals(
                4096,
                new ExecutorOptions(4096, 1).preference(ProgramPreference.GPU).scratchLimit());
    }
}
