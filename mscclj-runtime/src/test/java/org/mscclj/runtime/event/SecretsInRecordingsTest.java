package org.mscclj.runtime.event;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording is a file that others may read; the environment holds passwords. */
class SecretsInRecordingsTest {
    private static final Set<String> WITH_SECRETS =
            Set.of("jdk.InitialEnvironmentVariable", "jdk.SystemProcess", "jdk.InitialSystemProperty");

    @Test
    void ourSettingsRecordNoEnvironment(@TempDir Path folder) throws Exception {
        try (Reader text = new InputStreamReader(
                        Objects.requireNonNull(EventRecorder.class.getResourceAsStream("mscclj.jfc")),
                        StandardCharsets.UTF_8);
                Recording recording = new Recording(Configuration.create(text))) {
            recording.start();
            recording.stop();
            Path file = folder.resolve("ranks.jfr");
            recording.dump(file);
            Set<String> recorded = RecordingFile.readAllEvents(file).stream()
                    .map(event -> event.getEventType().getName())
                    .filter(WITH_SECRETS::contains)
                    .collect(Collectors.toSet());
            assertTrue(recorded.isEmpty(), recorded::toString);
        }
    }
}
