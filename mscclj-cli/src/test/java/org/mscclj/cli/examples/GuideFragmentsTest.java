package org.mscclj.cli.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.guide.Page;

/** The fragments of Java in the guide compile. {@code ReadmeTest} runs the whole ones. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuideFragmentsTest {
    private static final String IMPORTS = """
            import org.mscclj.api.*;
            import org.mscclj.api.algorithm.*;
            import org.mscclj.api.device.*;
            import org.mscclj.api.bootstrap.*;
            import org.mscclj.api.mesh.*;
            import org.mscclj.api.tuning.*;
            import org.mscclj.api.type.*;
            import org.mscclj.conformance.*;
            import org.mscclj.api.error.UnsupportedException;
            import java.nio.file.Path;
            import java.util.List;
            import java.util.Optional;
            """;

    /** The variables that the fragments use without declaring them. */
    private static final String METHOD = """
            class Fragment%d {
                Communicator communicator;
                CollectiveCall call;
                Algorithm algorithm;
                String name;
                int blocks;
                int threads;
                Path file;
                Store store;
                DeviceBuffer out;
                DeviceBuffer in;
                int next;
                int previous;

                void run() {
            %s    }
            }
            """;

    @Test
    void eachCompiles(@TempDir Path folder) throws IOException {
        List<String> fragments = Page.guide().stream()
                .flatMap(page -> page.blocks("java").stream())
                .filter(code -> !code.startsWith("import "))
                .toList();
        assertTrue(fragments.size() >= 5, fragments::toString);
        List<String> sources = IntStream.range(0, fragments.size())
                .mapToObj(
                        number -> source(folder, number, fragments.get(number)).toString())
                .toList();
        JavaTool.run(
                "javac",
                Stream.concat(
                                Stream.of("-proc:none", "-d", folder.toString(), "-cp", JavaTool.everything()),
                                sources.stream())
                        .toArray(String[]::new));
    }

    private static Path source(Path folder, int number, String fragment) {
        String code = fragment.startsWith("class ") ? fragment : METHOD.formatted(number, fragment.indent(8));
        try {
            return Files.writeString(folder.resolve("Fragment" + number + ".java"), IMPORTS + code);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
