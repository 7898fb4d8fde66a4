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
 * This command again, each rank in a JVM of its own: the same Java, options, module path or class path, and arguments.
 */
public final class SameCommand {
    private static final String STARTED = "mscclj.started.by.itself";
    private static final String MARK = "-D" + STARTED + "=true";
    private static final String MODULE = "org.mscclj.cli";
    private static final String MAIN = MODULE + ".Main";

    /** The variables that VMs read options from. {@code getInputArguments} has these options, too. */
    private static final Set<String> OPTIONS = Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private SameCommand() {}

    /**
     * Starts it once a rank, and waits for all of them.
     *
     * @param arguments its arguments
     * @param ranks number of processes
     * @param ranksPerNode ranks that count as one node
     * @param out takes what the ranks print
     * @param err takes what they print there, and, as one line, why they failed
     * @return the exit code of the first that failed, or 0
     */
    public static int launch(List<String> arguments, int ranks, int ranksPerNode, PrintWriter out, PrintWriter err) {
        return RankProcesses.run(
                new LaunchSettings(Program.THIS_COMMAND, of(arguments), ranks, ranksPerNode, OnFailure.STOP, false),
                out,
                err);
    }

    /**
     * What starts it in this process's environment, less the options there for VMs: they are among its words already.
     */
    public static ProcessBuilder builder(List<String> arguments) {
        ProcessBuilder builder = new ProcessBuilder(of(arguments));
        removeOptions(builder.environment());
        return builder;
    }

    /** Removes the variables whose options {@link #of} repeats: an agent or a debugger would start twice. */
    static void removeOptions(Map<String, String> environment) {
        environment.keySet().removeAll(OPTIONS);
    }

    /** Whether a command like this one has started this process, and has told of the environment already. */
    public static boolean hasStartedThis() {
        return Boolean.getBoolean(STARTED);
    }

    /** The words that start it. */
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
