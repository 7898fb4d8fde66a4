package org.mscclj.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line that starts a program of this project, or of its tests, in a child JVM on the class path. */
public final class JavaCommand {
    private static final String COMPILER = System.getProperty("mscclj.test.compiler", "");

    private JavaCommand() {}

    /** Returns options for a VM that ends soon: with one collector thread, and the compiler that the build names. */
    public static List<String> options() {
        return COMPILER.isEmpty() ? List.of("-XX:+UseSerialGC") : List.of("-XX:+UseSerialGC", COMPILER);
    }

    /**
     * Returns the command line.
     *
     * @param main the program
     * @param options options of the VM, in addition to the default ones
     * @param arguments of the program
     */
    static List<String> of(Class<?> main, List<String> options, String... arguments) {
        List<String> all = new ArrayList<>(ChildClasses.options());
        all.addAll(options);
        return of(main, ChildClasses.classPath(), all, arguments);
    }

    /** Returns the command line with a class path. */
    static List<String> of(Class<?> main, String classPath, List<String> options, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options());
        command.addAll(options);
        command.addAll(List.of(
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
