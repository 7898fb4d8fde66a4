package org.mscclj.backend.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The name by which measured choices of a CPU are found. */
class ProcessorNameTest {
    @TempDir
    private Path folder;

    private Optional<String> model(String text) throws IOException {
        return ProcessorName.model(Files.writeString(folder.resolve("cpuinfo"), text));
    }

    @Test
    void theFirstModelCounts() throws IOException {
        assertEquals(
                Optional.of("A CPU: fast"),
                model("processor\t: 0\nmodel name\t: A CPU: fast \n\nmodel name\t: another\n"));
    }

    /** Other architectures and systems have none. */
    @Test
    void aFileWithoutAModelHasNoName() throws IOException {
        assertEquals(Optional.empty(), model("processor\t: 0\nmodel name\t: \nFeatures\t: fp asimd\n"));
        assertEquals(Optional.empty(), ProcessorName.model(folder.resolve("none")));
    }

    @Test
    void theKindHasTheNumberOfProcessors() {
        String name = ProcessorName.KIND.device();
        assertTrue(name.endsWith(", " + Runtime.getRuntime().availableProcessors() + " processors"), name);
        assertTrue(ProcessorName.KIND.driver().startsWith("Java "), ProcessorName.KIND::toString);
    }
}
