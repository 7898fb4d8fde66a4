package org.mscclj.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line that starts a program of this project, or of its tests, in a child JVM on the class path. */
final class JavaCommand {
    private JavaCommand() {}

    /**
     * Returns the command line.
     *
     * @param main the program
     * @param options options of the VM, in addition to the default ones
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
