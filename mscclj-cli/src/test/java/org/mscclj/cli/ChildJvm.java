package org.mscclj.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command in a JVM of its own, on the class path. */
final class ChildJvm {
    private ChildJvm() {}

    static Process start(String... args) throws IOException {
        return builder(args).start();
    }

    static ProcessBuilder builder(String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("jdk.module.path", "")
                        + File.pathSeparator
                        + System.getProperty("java.class.path", ""),
                Main.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command).redirectErrorStream(true);
    }
}
