package org.mscclj.cli.plan;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.options.ProgramUse;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.report.TextTarget;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code mscclj plan compile}: writes the plan of a shipped program. */
@Command(
        name = "compile",
        header = "Write the plan of a shipped program as a file.",
        description = {
            "",
            "The plan is for messages of any size, and for the caller's reduce operation. mscclj plan list"
                    + " names the programs."
                    + " A note names limits of MSCCL++ that the plan exceeds, for example 16 channels of a block."
                    + " A program of your own writes its plan itself: see docs/guide/custom-algorithms.md."
        })
final class CompileCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "PROGRAM", description = "The shipped program, for example two_level.")
    @SuppressWarnings("NullAway.Init") // required
    private ShippedProgram program;

    @Option(names = "--collective", paramLabel = "NAME", required = true, description = "The collective.")
    @SuppressWarnings("NullAway.Init") // required
    private Collective collective;

    @Mixin
    private WorldOptions world = new WorldOptions();

    @Option(
            names = "--root",
            paramLabel = "RANK",
            description = "Root of broadcast, reduce, scatter and gather. Default: ${DEFAULT-VALUE}.")
    private int root;

    @Option(
            names = {"--in-place", "--in_place"},
            description = "For input and output in the same memory. Default: out of place.")
    private boolean inPlace;

    @Option(
            names = "--blocks",
            paramLabel = "B",
            description = "Thread blocks of each rank. Default: ${DEFAULT-VALUE}.")
    private int blocks = 1;

    @Mixin
    private BoundsOption bounds = new BoundsOption();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "The file to write. Default: the standard output.")
    private TextTarget output = TextTarget.STANDARD_OUTPUT;

    CompileCommand() {}

    @Override
    public Integer call() {
        ProgramSpec made = Usage.checked(spec, () -> {
            WorldOptions.World given = world.required();
            return new ProgramSpec(
                    collective, given.ranks(), given.ranksPerNode(), root, inPlace, blocks, 0, bounds.bounded());
        });
        ProgramUse.refusal(program, made).ifPresent(reason -> {
            throw Usage.wrong(spec, reason + "; mscclj plan list shows the programs");
        });
        Plan plan = program.plan(made);
        PrintWriter out = spec.commandLine().getOut();
        output.write("-o", PlanWriter.write(plan), out);
        if (!output.isStandardOutput()) {
            out.println(output + ": " + plan.label());
            out.flush();
        }
        bounds.warning(plan).ifPresent(warning -> {
            spec.commandLine().getErr().println(plan.label() + ": " + warning);
            spec.commandLine().getErr().flush();
        });
        return 0;
    }
}
