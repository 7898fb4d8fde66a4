package org.mscclj.cli.plan;

import java.util.concurrent.Callable;
import org.mscclj.cli.options.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Holds the commands on plans. */
@Command(
        name = "plan",
        header = "Look at execution plans, prove them, and make them.",
        description = "",
        subcommands = {
            ShowCommand.class,
            VerifyCommand.class,
            CompileCommand.class,
            ListCommand.class,
            InstallCommand.class
        })
public final class PlanCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** For picocli. */
    public PlanCommand() {}

    @Override
    public Integer call() {
        throw Usage.wrong(
                spec,
                "a command is missing; use mscclj plan show FILE, plan verify FILE, plan compile PROGRAM, plan"
                        + " list or plan"
                        + " install");
    }
}
