package org.mscclj.cli.launch;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Expands a command {@code java ...}: to the Java that runs this command, with all of mscclj on the class path and the
 * options that the CPU backend needs. The {@code java} on the search path may be too old. A class path among the
 * arguments replaces this one, since Java uses the last.
 */
final class JavaProgram {
    private static final String NAME = "java";

    private JavaProgram() {}

    /** Returns the command line that starts a program; unchanged if the program is not {@code java}. */
    static List<String> commandLine(List<String> command, Map<String, String> environment) {
        if (!command.getFirst().equals(NAME)) {
            return command;
        }
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", NAME).toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "--class-path",
                environment.getOrDefault("CLASSPATH", ".") + File.pathSeparator + ofThisCommand()));
        line.addAll(command.subList(1, command.size()));
        return line;
    }

    private static String ofThisCommand() {
        return Stream.of("jdk.module.path", "java.class.path")
                .flatMap(property ->
                        Arrays.stream(System.getProperty(property, "").split(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> isFolderOfJars(Path.of(entry)) ? entry + File.separator + "*" : entry)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Whether an entry is a folder of jars, as on a module path; on a class path a folder holds classes. */
    private static boolean isFolderOfJars(Path entry) {
        return Files.isDirectory(entry) && containsJar(entry);
    }

    private static boolean containsJar(Path folder) {
        String[] names = folder.toFile().list();
        return names != null && Arrays.stream(names).anyMatch(name -> name.endsWith(".jar"));
    }
}
