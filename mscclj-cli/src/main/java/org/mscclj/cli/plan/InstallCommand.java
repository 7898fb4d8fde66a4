package org.mscclj.cli.plan;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.mscclj.cli.options.Usage;
import org.mscclj.plan.Plan;
import org.mscclj.plan.language.CompiledPlans;
import org.mscclj.plan.program.DefaultPrograms;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Writes the default plans of a world into the user's folder of plans. */
@Command(
        name = "install",
        header = "Write the plans that communicators choose by default in a world.",
        description = {
            "",
            "For every collective, in place and out of place, with root 0; each plan with the sizes for which it is chosen."
                    + " What is there already is left alone. Communicators do not need these files, and do not read them: they make"
                    + " these plans themselves. They are for other programs, and to be looked at."
        })
final class InstallCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private WorldOptions world = new WorldOptions();

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    InstallCommand() {}

    @Override
    public Integer call() {
        WorldOptions.World given = Usage.checked(spec, world::required);
        CompiledPlans folder = Usage.checked(spec, directory::plans);
        PrintWriter out = spec.commandLine().getOut();
        List<Plan> plans = DefaultPrograms.plans(given.ranks(), given.ranksPerNode());
        int written = 0;
        for (Plan plan : plans) {
            if (folder.keep(plan)) {
                out.println("wrote " + folder.file(plan));
                written++;
            }
        }
        out.println(written + " plans written, " + (plans.size() - written) + " were there, in " + folder.directory());
        out.flush();
        return 0;
    }
}
