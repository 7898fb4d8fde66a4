package org.mscclj.cli.debug;

import java.util.concurrent.Callable;
import org.mscclj.cli.options.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code mscclj debug}, the parent of the commands that analyse hangs. */
@Command(
        name = "debug",
        header = "Find out which rank keeps the others waiting, and which processes are healthy.",
        description = "",
        subcommands = {DumpCommand.class, DiffCommand.class, FrTraceCommand.class, HealthCommand.class})
public final class DebugCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** Called by picocli. */
    public DebugCommand() {}

    @Override
    public Integer call() {
        throw Usage.wrong(
                spec, "a command is missing; use mscclj debug dump PID, debug diff DUMPS, or debug health PID");
    }
}
