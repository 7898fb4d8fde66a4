package org.mscclj.runtime.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Dumps are put together of what a recording has. Isolated, since it records the whole process. */
@Isolated
class RecordedDumpsTest {
    @TempDir
    private Path folder;

    /** The parts of dumps, but made by a test. */
    @Name(RecordedDumps.EVENT)
    @Enabled(false)
    @StackTrace(false)
    static final class PartEvent extends Event {
        String communicator = "world";
        String id = "";
        int rank;
        long dump;
        int part;
        int parts;
        String text = "";

        static void commit(String id, int rank, long dump, int part, int parts, String text) {
            PartEvent event = new PartEvent();
            event.id = id;
            event.rank = rank;
            event.dump = dump;
            event.part = part;
            event.parts = parts;
            event.text = text;
            event.commit();
        }
    }

    private Path recorded(Runnable work) throws IOException {
        Path file = folder.resolve("parts.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(PartEvent.class);
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    @Test
    void theLastWholeDumpOfEachRankCounts() throws Exception {
        Path file = recorded(() -> {
            PartEvent.commit("a", 0, 1, 0, 1, "{old}");
            PartEvent.commit("a", 0, 3, 1, 3, "e");
            PartEvent.commit("a", 1, 2, 0, 1, "{one}");
            PartEvent.commit("a", 0, 3, 2, 3, "w}");
            PartEvent.commit("b", 0, 4, 0, 1, "{other communicator}");
            PartEvent.commit("a", 0, 3, 0, 3, "{n");
            PartEvent.commit("a", 0, 5, 0, 2, "{cut");
        });
        List<String> leftOut = new ArrayList<>();
        List<String> dumps = RecordedDumps.read(file, leftOut::add);
        assertEquals(
                List.of("{new}", "{one}", "{other communicator}"),
                dumps.stream().sorted().toList());
        assertEquals(
                List.of("rank 0 of world: the recording has lost parts of its last dump, so an earlier one"
                        + " stands for it;"
                        + " record with a greater maxsize"),
                leftOut,
                "or a rank would seem to be behind");
    }

    @Test
    void ranksWithoutAWholeDumpAreTold() throws Exception {
        Path file = recorded(() -> PartEvent.commit("a", 3, 1, 1, 2, "x"));
        List<String> leftOut = new ArrayList<>();
        assertEquals(List.of(), RecordedDumps.read(file, leftOut::add));
        assertEquals(
                List.of("rank 3 of world: the recording has lost parts of its dump; record with a greater maxsize"),
                leftOut);
    }

    @Test
    void whatIsNoRecordingIsRefused() throws Exception {
        Path missing = folder.resolve("missing.jfr");
        assertThrows(NoSuchFileException.class, () -> RecordedDumps.read(missing, _ -> {}));
        Path text = Files.writeString(folder.resolve("text.jfr"), "no recording");
        assertThrows(IOException.class, () -> RecordedDumps.read(text, _ -> {}));
    }
}
