package org.mscclj.cli.plan;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.mscclj.cli.options.Usage;
import org.mscclj.language.CompiledPlans;
import org.mscclj.language.selection.DefaultPrograms;
import org.mscclj.language.selection.SizedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.preference.ProgramPreference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code mscclj plan install}: writes the default plans of a world to the user's folder of plans. */
@Command(
        name = "install",
        header = "Write the plans that communicators choose by default in a world.",
        description = {
            "",
            "For every collective, in place and out of place, with root 0; each plan with the sizes for which"
                    + " it is chosen."
                    + " Existing files are kept. Communicators do not need these files, and do not"
                    + " read them: they create"
                    + " these plans themselves. The files are for other programs, such as MSCCL++, and for"
                    + " inspection. A note names each file that exceeds a"
                    + " limit of MSCCL++, for example 16 channels of a block."
        })
final class InstallCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private WorldOptions world = new WorldOptions();

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Mixin
    private BoundsOption bounds = new BoundsOption();

    InstallCommand() {}

    @Override
    public Integer call() {
        WorldOptions.World given = Usage.checked(spec, world::required);
        CompiledPlans folder = Usage.checked(spec, directory::plans);
        PrintWriter out = spec.commandLine().getOut();
        List<SizedProgram> programs =
                DefaultPrograms.sized(given.ranks(), given.ranksPerNode(), ProgramPreference.HOST);
        int written = 0;
        for (SizedProgram program : programs) {
            Plan plan = program.bounded(bounds.bounded()).plan();
            CompiledPlans.PlanFile kept = folder.keep(plan);
            if (kept.written()) {
                out.println("wrote " + kept.file()
                        + bounds.warning(plan)
                                .map(warning -> " (" + warning + ")")
                                .orElse(""));
                out.flush();
                written++;
            }
        }
        out.println(
                written + " plans written, " + (programs.size() - written) + " were there, in " + folder.directory());
        out.flush();
        return 0;
    }
}
