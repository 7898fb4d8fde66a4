package org.mscclj.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The words that start a program of this project, or of its tests, in a JVM of its own, on the class path. */
final class JavaCommand {
    private JavaCommand() {}

    /**
     * The words.
     *
     * @param main the program
     * @param options of the VM, beside those that any needs
     * @param arguments of the program
     */
    static List<String> of(Class<?> main, List<String> options, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        command.addAll(options);
        command.addAll(List.of(
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                String.join(
                        File.pathSeparator,
                        Path.of("target", "test-classes").toAbsolutePath().toString(),
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path", "")),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
