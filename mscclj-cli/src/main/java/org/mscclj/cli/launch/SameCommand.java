package org.mscclj.cli.launch;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** This command again, in a JVM of its own: the same Java, options, module path or class path, and arguments. */
final class SameCommand {
    private static final String MODULE = "org.mscclj.cli";
    private static final String MAIN = MODULE + ".Main";

    private SameCommand() {}

    static List<String> of(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(SameCommand::canBeShared)
                .forEach(command::add);
        if (SameCommand.class.getModule().isNamed()) {
            addPath(command, "--module-path", "jdk.module.path");
            addPath(command, "--class-path", "java.class.path");
            command.add("--module");
            command.add(MODULE + "/" + MAIN);
        } else {
            addPath(command, "--class-path", "java.class.path");
            command.add(MAIN);
        }
        command.addAll(arguments);
        return command;
    }

    /** A debugger's port cannot be shared, and paths are added as they are now. */
    private static boolean canBeShared(String option) {
        return !option.startsWith("-agentlib:jdwp")
                && !option.startsWith("-Xrunjdwp")
                && !option.startsWith("-Djava.class.path=")
                && !option.startsWith("--module-path=")
                && !option.startsWith("-Djdk.module.");
    }

    private static void addPath(List<String> command, String option, String property) {
        String path = System.getProperty(property, "");
        if (!path.isEmpty()) {
            command.add(option);
            command.add(path);
        }
    }
}
