package org.mscclj.runtime.execution.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.tuning.TuningTopology;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.tuning.TuningFile;

/** The file that {@code MSCCLJ_TUNING} or an option names. */
class TuningSettingTest {
    @TempDir
    private Path folder;

    private static TuningEntry entry(Collective collective, int ranks, String algorithm) {
        return new TuningEntry(
                new TuningKey("host", "a CPU", ranks, TuningTopology.MAPPED, "1", "2"),
                "",
                List.of(new TuningChoice(collective, false, 0, algorithm)));
    }

    private Path file(TuningEntry entry) {
        Path file = folder.resolve("my.json");
        new TuningFile("my.json", List.of(entry)).write(file);
        return file;
    }

    private static ExecutorOptions options(Path variable, Optional<Path> option) {
        return ExecutorOptions.of(Map.of(TuningSetting.VARIABLE, variable.toString()), Optional.empty(), option);
    }

    /**
     * What no call could follow is refused when the file is read, not at the first call, and not when it is written.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ALLREDUCE | 2 | ring | the algorithm is \"ring\"; allowed: a program with its thread blocks",
                "ALLREDUCE | 2 | packets@1025 | thread blocks is 1025; allowed: 1 to 1024",
                "ALLREDUCE | 4 | two_level@1 | program two_level is refused: it is for several nodes",
                "ALLREDUCE | 4 | multicast@1 | program multicast is refused: it needs a switch that reduces",
                "BROADCAST | 4 | ring@1 | program ring is refused: there is none for broadcast"
            })
    void choicesThatServeNoCallAreRefused(Collective collective, int ranks, String algorithm, String reason) {
        Path file = file(entry(collective, ranks, algorithm));
        String place = "my.json: entries[0]: " + collective + " on " + ranks + " ranks, plain memory, from 0 bytes on: "
                + reason;
        for (InvalidArgumentException refused : List.of(
                assertThrows(InvalidArgumentException.class, () -> options(file, Optional.empty())),
                assertThrows(InvalidArgumentException.class, () -> options(folder.resolve("none"), Optional.of(file))),
                assertThrows(
                        InvalidArgumentException.class,
                        () -> TuningSetting.save(folder.resolve("new.json"), entry(collective, ranks, algorithm))))) {
            String message = String.valueOf(refused.getMessage());
            assertTrue(message.contains(place.replace("my.json: ", "")), message);
        }
        assertTrue(Files.notExists(folder.resolve("new.json")));
    }

    @Test
    void programsOfASwitchAreForRanksThatHaveOne() {
        TuningEntry entry = new TuningEntry(
                new TuningKey("cuda", "a GPU", 4, TuningTopology.SWITCHED, "1", "2"),
                "",
                List.of(new TuningChoice(Collective.ALLREDUCE, true, 0, "multicast_direct@8")));
        Path file = folder.resolve("new.json");
        TuningSetting.save(file, entry);
        assertEquals(List.of(entry), TuningSetting.read(file).entries());
    }

    /** The entries of other machines may name what is installed there. */
    @Test
    void nativeAlgorithmsThatAreNotInstalledAreRefusedInNewEntriesOnly() {
        Path file = file(entry(Collective.ALLREDUCE, 2, "own@2"));
        assertEquals(1, options(file, Optional.empty()).tuning().entries().size());
        TuningSetting.save(file, entry(Collective.ALLREDUCE, 3, "ring@3"));
        assertEquals(2, TuningSetting.read(file).entries().size());
        TuningSetting.save(file, entry(Collective.ALLREDUCE, 2, "own@2")); // as before
        InvalidArgumentException refused = assertThrows(
                InvalidArgumentException.class,
                () -> TuningSetting.save(file, entry(Collective.ALLREDUCE, 4, "rings@2")));
        String message = String.valueOf(refused.getMessage());
        assertTrue(
                message.contains("my.json: entries[2]: allreduce on 4 ranks, plain memory, from 0 bytes on: the"
                        + " algorithm is \"rings@2\"; allowed: one of packets, direct"),
                message);
        assertEquals(2, TuningSetting.read(file).entries().size());
    }

    @Test
    void aFileThatIsMissingIsNamed() {
        InvalidArgumentException refused =
                assertThrows(InvalidArgumentException.class, () -> options(folder.resolve("none"), Optional.empty()));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.startsWith("MSCCLJ_TUNING is \""), message);
        assertTrue(message.contains("none: there is no such file; give a file that"), message);
    }

    @Test
    void theOptionGoesBeforeTheVariable() {
        Path file = file(entry(Collective.ALLREDUCE, 2, "ring@2"));
        assertEquals(
                1,
                options(folder.resolve("none"), Optional.of(file))
                        .tuning()
                        .entries()
                        .size());
        assertEquals(file.toString(), options(file, Optional.empty()).tuning().name());
        assertTrue(options(file, Optional.of(Path.of(""))).tuning().isEmpty());
        assertTrue(ExecutorOptions.of(Map.of(TuningSetting.VARIABLE, " "), Optional.empty())
                .tuning()
                .isEmpty());
    }

    @Test
    void otherEntriesStayWhenOneIsSaved() throws IOException {
        Path file = file(entry(Collective.ALLREDUCE, 2, "ring@2"));
        TuningSetting.save(file, entry(Collective.ALLREDUCE, 3, "ring@3"));
        TuningSetting.save(file, entry(Collective.ALLREDUCE, 2, "ring@4"));
        assertEquals(
                List.of(entry(Collective.ALLREDUCE, 2, "ring@4"), entry(Collective.ALLREDUCE, 3, "ring@3")),
                TuningSetting.read(file).entries());
        Files.writeString(file, "allreduce 2\n");
        InvalidArgumentException refused = assertThrows(
                InvalidArgumentException.class,
                () -> TuningSetting.save(file, entry(Collective.ALLREDUCE, 2, "ring@4")));
        assertTrue(String.valueOf(refused.getMessage()).contains("my.json"), refused::getMessage);
        assertEquals("allreduce 2\n", Files.readString(file));
    }

    @Test
    void limitsReplaceThoseOfTheDevice() {
        assertEquals(ProgramPreference.GPU, ExecutorOptions.DEFAULT.preference(ProgramPreference.GPU));
        assertEquals(
                4096,
                new ExecutorOptions(4096, 1).preference(ProgramPreference.GPU).scratchLimit());
    }
}
