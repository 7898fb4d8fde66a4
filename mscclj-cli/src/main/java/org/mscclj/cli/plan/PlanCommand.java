package org.mscclj.cli.plan;

import java.util.concurrent.Callable;
import org.mscclj.cli.options.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code mscclj plan}, the parent of the commands on plans. */
@Command(
        name = "plan",
        header = "Show, verify and create execution plans.",
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
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** Called by picocli. */
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
