package org.mscclj.conformance.group;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.mscclj.conformance.worker.RankProcess;

/** The command line of a VM like this one, whose main class is {@link RankProcess}. */
final class RankJava {
    /** The options of this process that a rank needs, too. */
    private static final List<String> INHERITED = List.of(
            "--add-modules",
            "--enable-native-access",
            "--illegal-native-access",
            "--add-reads",
            "--add-opens",
            "-Dmscclj.");

    private RankJava() {}

    /** Returns the command line, up to the main class. It is the same for every working directory. */
    static List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"));
        command.addAll(inherited());
        String modulePath = System.getProperty("jdk.module.path", "");
        String classPath = System.getProperty("java.class.path", "");
        if (!modulePath.isEmpty()) {
            command.addAll(List.of("--module-path", absolute(modulePath)));
        }
        if (!classPath.isEmpty()) {
            command.addAll(List.of("--class-path", absolute(classPath)));
        }
        Module module = RankProcess.class.getModule();
        if (module.isNamed()) {
            // Otherwise modules that are reached only through services would be missing.
            command.addAll(List.of("--add-modules", "ALL-MODULE-PATH"));
            command.addAll(List.of("--module", module.getName() + "/" + RankProcess.class.getName()));
        } else {
            if (!modulePath.isEmpty()) {
                command.addAll(List.of("--add-modules", "ALL-MODULE-PATH"));
            }
            command.add(RankProcess.class.getName());
        }
        return command;
    }

    /** An option is one word or two. */
    private static List<String> inherited() {
        List<String> chosen = new ArrayList<>();
        for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (INHERITED.stream().anyMatch(argument::startsWith)) {
                chosen.add(argument);
            }
        }
        return chosen;
    }

    /** An empty entry is the working directory. */
    private static String absolute(String path) {
        return Arrays.stream(path.split(File.pathSeparator))
                .map(entry -> new File(entry).getAbsolutePath())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
