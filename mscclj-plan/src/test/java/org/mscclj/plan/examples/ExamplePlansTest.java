package org.mscclj.plan.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.json.PlanWriter;
import org.mscclj.plan.validation.PlanValidator;
import org.mscclj.plan.validation.RelaxedSignals;

/**
 * {@code examples/plans} holds the plans of {@link ExamplePrograms}. {@code -Dmscclj.golden=update} writes them again.
 */
class ExamplePlansTest {
    private static final Path FOLDER = repositoryRoot().resolve("examples/plans");

    static Stream<Plan> plans() {
        return ExamplePrograms.all().stream();
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("plans")
    void fileHoldsTheProgram(Plan plan) throws IOException {
        Path file = FOLDER.resolve(plan.name() + ".json");
        if ("update".equals(System.getProperty("mscclj.golden"))) {
            Files.createDirectories(FOLDER);
            PlanWriter.write(plan, file);
        }
        assertEquals(PlanWriter.write(plan), Files.readString(file));
        assertEquals(plan, PlanReader.read(file));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("plans")
    void isValidAndReleasesWhatItStores(Plan plan) {
        PlanValidator.validate(plan);
        assertEquals(List.of(), RelaxedSignals.needingRelease(plan));
    }

    @Test
    void thereAreNoOtherFiles() throws IOException {
        List<String> expected =
                plans().map(plan -> plan.name() + ".json").sorted().toList();
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertEquals(
                    expected,
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".json"))
                            .sorted()
                            .toList());
        }
    }

    private static Path repositoryRoot() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder.getParent() != null && !Files.exists(folder.resolve("bom/pom.xml"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
