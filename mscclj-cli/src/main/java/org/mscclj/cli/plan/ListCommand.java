package org.mscclj.cli.plan;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mscclj.api.error.PlainText;
import org.mscclj.cli.options.JsonOption;
import org.mscclj.cli.options.Usage;
import org.mscclj.language.CompiledPlans;
import org.mscclj.language.selection.ChosenProgram;
import org.mscclj.language.selection.DefaultPrograms;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.environment.ProgramSetting;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code mscclj plan list}: lists the shipped programs, and counts or lists the installed plans. */
@Command(
        name = "list",
        header = "List the shipped programs, and count or list the installed plans.",
        description = {
            "",
            "For each program: its collectives, where it can run, what it needs, and for which sizes"
                    + " communicators select it in a"
                    + " world of --ranks, 8 if that is not given, on the CPU or, with --gpu, on GPUs."
                    + " Registered buffers are those from Communicator.allocate. The variables MSCCLJ_TUNING,"
                    + " MSCCLJ_SCRATCH_LIMIT and MSCCLJ_LL128 count as for communicators."
        })
final class ListCommand implements Callable<Integer> {
    private static final int USUAL_RANKS = 8;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private WorldOptions world = new WorldOptions();

    @Option(names = "--gpu", description = "Show the selection on GPUs. Default: that on the CPU.")
    private boolean gpu;

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "--installed",
            description = "Also list the plans in the folder, each with its collective. --json always lists them.")
    private boolean installed;

    @Mixin
    private JsonOption json = new JsonOption();

    ListCommand() {}

    @Override
    public Integer call() {
        WorldOptions.World given = Usage.checked(spec, () -> world.or(USUAL_RANKS));
        CompiledPlans folder = Usage.checked(spec, directory::plans);
        ProgramSetting setting = Usage.checked(
                spec,
                () -> ProgramSetting.of(
                        System.getenv(), gpu ? ProgramPreference.GPU : ProgramPreference.HOST, gpu, given.ranks()));
        List<ChosenProgram> choices = DefaultPrograms.of(given.ranks(), given.ranksPerNode(), setting.preference());
        List<Path> files = folder.files();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter table = json.table(out, spec.commandLine().getErr());
        table.print(ProgramsText.of(given, gpu, choices));
        setting.measured()
                .ifPresent(entry -> table.println(
                        "measured on " + PlainText.escape(entry.key().toString())));
        setting.nativeChoices().forEach(table::println);
        table.println(counted(files.size(), folder.directory()));
        if (installed) {
            files.forEach(file -> table.println("  " + InstalledPlan.read(file)));
        }
        table.flush();
        json.write(
                () -> Optional.of(ProgramsJson.of(
                        given,
                        gpu,
                        choices,
                        folder.directory(),
                        files.stream().map(InstalledPlan::read).toList())),
                out);
        return 0;
    }

    private String counted(int plans, Path directory) {
        String number = plans == 0 ? "no plans" : plans == 1 ? "1 plan" : plans + " plans";
        return number + " in " + PlainText.escape(directory.toString())
                + (plans == 0 || installed ? "" : "; --installed lists " + (plans == 1 ? "it" : "them"));
    }
}
