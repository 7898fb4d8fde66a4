package org.mscclj.cli.launch;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mscclj.cli.launch.LaunchSettings.OnFailure;
import org.mscclj.cli.launch.LaunchSettings.Program;

/**
 * Runs this command again, each rank in a JVM of its own, with the same Java, options, module path or class path, and
 * arguments.
 */
public final class SameCommand {
    private static final String STARTED = "mscclj.started.by.itself";
    private static final String MARK = "-D" + STARTED + "=true";
    private static final String MODULE = "org.mscclj.cli";
    private static final String MAIN = MODULE + ".Main";

    /** The variables from which a VM reads options. {@code getInputArguments} contains these options, too. */
    private static final Set<String> OPTIONS = Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private SameCommand() {}

    /**
     * Starts the command once for each rank, and waits for all.
     *
     * @param arguments the arguments of the command
     * @param ranks number of processes
     * @param ranksPerNode ranks that count as one node
     * @param out receives the output of the ranks
     * @param err receives their errors, and one line with the reasons of failures
     * @return the exit code of the first rank that failed, or 0
     */
    public static int launch(List<String> arguments, int ranks, int ranksPerNode, PrintWriter out, PrintWriter err) {
        return RankProcesses.run(
                new LaunchSettings(Program.THIS_COMMAND, of(arguments), ranks, ranksPerNode, OnFailure.STOP, false),
                out,
                err);
    }

    /**
     * Returns a process builder with this process's environment, without its variables for options of VMs, which the
     * command line contains already.
     */
    public static ProcessBuilder builder(List<String> arguments) {
        ProcessBuilder builder = new ProcessBuilder(of(arguments));
        removeOptions(builder.environment());
        return builder;
    }

    /** Removes the variables whose options {@link #of} repeats; otherwise an agent or a debugger would start twice. */
    static void removeOptions(Map<String, String> environment) {
        environment.keySet().removeAll(OPTIONS);
    }

    /** Whether this command has started this process, and has already printed notes about the environment. */
    public static boolean hasStartedThis() {
        return Boolean.getBoolean(STARTED);
    }

    /** Returns the command line. */
    static List<String> of(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(SameCommand::canBeShared)
                .filter(argument -> !argument.equals(MARK))
                .forEach(command::add);
        command.add(MARK);
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

    /**
     * Whether an option is passed on: not that of a debugger, whose port cannot be shared, and not those of paths,
     * which are added with their present values.
     */
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
