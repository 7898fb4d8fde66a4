package org.mscclj.runtime.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts a main class of this module's tests in a process of its own, with the modules of this one. */
public final class ModuleJvm {
    private ModuleJvm() {}

    /** Starts it; what it prints to its error stream goes to that of this process. */
    public static Process start(Class<?> main, String... arguments) throws IOException {
        return start(Map.of(), main, arguments);
    }

    /** Starts it with more environment variables. */
    public static Process start(Map<String, String> environment, Class<?> main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--module-path",
                System.getProperty("jdk.module.path"),
                "--patch-module",
                "org.mscclj.runtime=" + Path.of("target", "test-classes"),
                "--add-modules",
                "ALL-MODULE-PATH",
                "--module",
                "org.mscclj.runtime/" + main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
