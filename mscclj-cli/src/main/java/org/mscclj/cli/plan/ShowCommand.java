package org.mscclj.cli.plan;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mscclj.analysis.simulate.Prediction;
import org.mscclj.cli.options.TopologyOption;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.report.SimulationNotes;
import org.mscclj.cli.report.TextTarget;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.text.PlanPrinter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code mscclj plan show}: prints a plan as text, or draws it. */
@Command(
        name = "show",
        header = "Print a plan as text, by rank and thread block, or draw a simulated launch.",
        description = {
            "",
            "A picture has a lane for each thread block, and arrows from signals to waits. Times are"
                    + " predicted, as by"
                    + " mscclj simulate."
        })
public final class ShowCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The execution plan.")
    @SuppressWarnings("NullAway.Init") // required
    private Path file;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Draw a launch as one self-contained HTML file, instead of printing text; - is the standard"
                    + " output.")
    private Optional<TextTarget> html = Optional.empty();

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            description =
                    "Message size of the launch in bytes, with K, M or G. Default: 1M, or the closest size that the plan accepts.")
    private Optional<String> size = Optional.empty();

    @Mixin
    private TopologyOption topology = new TopologyOption();

    /** Called by picocli. */
    public ShowCommand() {}

    @Override
    public Integer call() {
        if (!Files.exists(file)) {
            throw Usage.wrong(spec, file + ": there is no such file; name an execution plan");
        }
        if (html.isEmpty() && (size.isPresent() || topology.isGiven())) {
            throw Usage.wrong(
                    spec,
                    "--size, --topology and --ranks-per-node say what --html draws; add --html FILE, or drop them");
        }
        Plan plan = PlanReader.read(file);
        PrintWriter out = spec.commandLine().getOut();
        if (html.isPresent()) {
            draw(plan, html.get(), out);
        } else {
            out.print(PlanPrinter.print(plan));
        }
        out.flush();
        return 0;
    }

    private void draw(Plan plan, TextTarget target, PrintWriter out) {
        SimulatedLaunch launch =
                Usage.checked(spec, () -> SimulatedLaunch.of(plan, topology.topology(plan.worldSize()), size));
        Prediction prediction =
                launch.prediction(new SimulationNotes(spec.commandLine().getErr()));
        target.write("--html", launch.html(prediction), out);
        if (!target.isStandardOutput()) {
            out.println(target + ": " + launch.summary(prediction));
        }
    }
}
