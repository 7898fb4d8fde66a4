package org.mscclj.cli.plan;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mscclj.cli.options.JsonOption;
import org.mscclj.cli.options.Usage;
import org.mscclj.plan.language.CompiledPlans;
import org.mscclj.plan.program.ChosenProgram;
import org.mscclj.plan.program.DefaultPrograms;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the shipped programs, and the plans in the user's folder. */
@Command(
        name = "list",
        header = "List the shipped programs, and the installed plans.",
        description = {
            "",
            "For each program: what it computes, where it can run, what it needs, and for which messages"
                    + " communicators choose it in a"
                    + " world of --ranks, 8 if that is not given. Registered buffers are those from"
                    + " Communicator.allocate."
        })
final class ListCommand implements Callable<Integer> {
    private static final int USUAL_RANKS = 8;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private WorldOptions world = new WorldOptions();

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Mixin
    private JsonOption json = new JsonOption();

    ListCommand() {}

    @Override
    public Integer call() {
        WorldOptions.World given = Usage.checked(spec, () -> world.or(USUAL_RANKS));
        CompiledPlans folder = Usage.checked(spec, directory::plans);
        List<ChosenProgram> choices = DefaultPrograms.of(given.ranks(), given.ranksPerNode());
        List<InstalledPlan> installed =
                folder.files().stream().map(InstalledPlan::read).toList();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter table = json.table(out, spec.commandLine().getErr());
        table.print(ProgramsText.of(given, choices));
        table.println("plans in " + folder.directory() + (installed.isEmpty() ? ": none" : ""));
        installed.forEach(plan -> table.println("  " + plan));
        table.flush();
        json.write(() -> Optional.of(ProgramsJson.of(given, choices, folder.directory(), installed)), out);
        return 0;
    }
}
