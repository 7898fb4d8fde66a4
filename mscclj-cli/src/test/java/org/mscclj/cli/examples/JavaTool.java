package org.mscclj.cli.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.cli.JavaCommand;
import org.mscclj.cli.architecture.ProjectModules;

/** Runs a tool of the JDK that runs the test, with this project's classes. */
final class JavaTool {
    private JavaTool() {}

    /** Runs a tool, which must succeed; returns what it printed. */
    static String run(String tool, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
        for (String option : JavaCommand.options()) {
            command.add(tool.equals("java") ? option : "-J" + option);
        }
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.onExit().join().exitValue(), output);
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Returns the location of the classes of mscclj-api. */
    static String api() {
        return classesOf("org.mscclj.api");
    }

    /** Returns the location of the classes of a module of the project. */
    static String classesOf(String name) {
        return ProjectModules.all().stream()
                .filter(module -> module.name().equals(name))
                .findFirst()
                .orElseThrow()
                .location()
                .toString();
    }

    /** The whole project and its libraries. */
    static String everything() {
        return System.getProperty("jdk.module.path", "")
                + File.pathSeparator
                + System.getProperty("java.class.path", "");
    }

    /** The project's modules and the modules they need. */
    static String allModules() {
        return System.getProperty("jdk.module.path", "");
    }
}
