package org.mscclj.cli.run;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.measure.ProgressLine;
import org.mscclj.cli.options.JsonOption;
import org.mscclj.cli.options.MessageSizes;
import org.mscclj.cli.options.OpOption;
import org.mscclj.cli.options.PlanFiles;
import org.mscclj.cli.options.SeedOption;
import org.mscclj.cli.options.SizeOptions;
import org.mscclj.cli.options.TraceOption;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.ranks.GroupOptions;
import org.mscclj.cli.ranks.Ranks;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code mscclj run}: reads its options, and checks what can be checked without ranks. */
@Command(
        name = "run",
        sortOptions = false,
        header = "Run a plan, check its result, and measure it.",
        description = {
            "",
            "Ranks and placement come from the plan. Inputs are random; the result is compared with the"
                    + " definition of the"
                    + " collective. The exit code is 0 only if everything was right.",
            "",
            "Several plans, types or packet formats are run in all combinations, with one line each. One that"
                    + " fails or hangs"
                    + " does not stop the others, which get a fresh communicator. What the backend does not support is"
                    + " reported, and is no failure.",
            ""
        },
        footer = {
            "",
            "time is the mean over consecutive launches on the slowest rank, after"
                    + " a warm-up; the data are zeros, so that nothing overflows. algbw is size"
                    + " over time, busbw is algbw times the factor of nccl-tests for the collective.",
            "",
            "Exit codes: 0 all right; 1 wrong result, time-out or bad plan; 2 bad usage."
        })
public final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "PLAN.json", arity = "1..*", description = "Execution plans, or folders of them.")
    @SuppressWarnings("NullAway.Init") // required
    private List<Path> plans;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            split = ",",
            description = "Of several plans, run those with these numbers of ranks. Default: all.")
    private Set<Integer> ranks = Set.of();

    @Option(
            names = "--except",
            paramLabel = "NAME",
            split = ",",
            description = "Of several plans, leave out those with these file names, without extension.")
    private List<String> except = List.of();

    @Mixin
    private SizeOptions sizes = new SizeOptions();

    @Option(names = "--dtype", paramLabel = "TYPE", split = ",", description = "Element types. Default: float32.")
    private List<DataType> types = List.of(DataType.FLOAT32);

    @Mixin
    private OpOption op = new OpOption();

    @Option(
            names = "--packet",
            paramLabel = "LL8|LL16",
            split = ",",
            description = "Formats of packets. Default: LL16.")
    private List<PacketType> packets = List.of(PacketType.LL16);

    @Mixin
    private GroupOptions group = new GroupOptions();

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "Timed launches of each size; 0 only checks. Default: 20, fewer for more than 1M; 0 for"
                    + " several plans.")
    private Optional<Integer> iterations = Optional.empty();

    @Mixin
    private ReplayOption replays = new ReplayOption();

    @Mixin
    private TraceOption trace = new TraceOption();

    @Option(
            names = "--strict",
            description = "Reject a plan that signals relaxed where a release is needed; without this such signals"
                    + " are raised to"
                    + " releases.")
    private boolean strict;

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private JsonOption json = new JsonOption();

    /** Called by picocli. */
    public RunCommand() {}

    @Override
    public Integer call() {
        if (iterations.isPresent() && iterations.get() < 0) {
            throw Usage.wrong(spec, "--iterations is " + iterations.get() + "; allowed: 0 or more");
        }
        List<Path> files = Usage.checked(spec, () -> PlanFiles.of(plans, except));
        boolean isOne = files.equals(plans) && files.size() == 1 && types.size() == 1 && packets.size() == 1;
        return trace.around(
                group.launchedRanks().isEmpty(),
                () -> isOne && ranks.isEmpty() ? runOne(files.getFirst()) : runSeveral(files));
    }

    private int runOne(Path file) {
        Plan plan = PlanReader.read(file);
        List<String> violations = strict ? StrictOrder.violations(plan) : List.of();
        if (!violations.isEmpty()) {
            violations.forEach(violation -> err().println("mscclj: " + violation));
            return 1;
        }
        RunSettings settings = Usage.checked(spec, () -> settings(plan));
        if (group.mustLaunch()) {
            return group.launch(plan.worldSize());
        }
        Ranks where = group.ranks(plan.worldSize(), "run");
        PrintWriter out = GroupOptions.forFirst(where, spec.commandLine().getOut());
        PrintWriter notes = GroupOptions.forFirst(where, err());
        RunReport report = new RunReport(json.table(out, notes), notes, ProgressLine.DEFAULT_DELAY);
        try {
            where.run(group.settings(), new PlanPart(settings, report));
        } catch (MsccljException e) {
            report.failed(e);
            throw e;
        } finally {
            json.write(report::json, out);
        }
        return report.isRight() ? 0 : 1;
    }

    private int runSeveral(List<Path> files) {
        PlanSteps.Choice choice = new PlanSteps.Choice(
                ranks,
                types,
                packets,
                op.given(),
                sizes,
                group.backendName(),
                iterations.orElse(0),
                Usage.checked(spec, () -> replays.replays(group.backendName())),
                strict,
                seed.seed());
        return new SeveralRuns(spec, group, json, choice).run(files);
    }

    private RunSettings settings(Plan plan) {
        DataType type = types.getFirst();
        List<MessageSizes.Size> chosen = sizes.of(new MessageSizes(plan, type));
        chosen.forEach(size -> size.note().ifPresent(note -> err().println("note: " + note)));
        ReduceOp reduceOp = GivenReduceOp.of(plan, op.given(), type);
        return new RunSettings(
                plan,
                packets.getFirst(),
                chosen.stream()
                        .map(size -> PlanShape.of(plan, size.count(), type, reduceOp))
                        .toList(),
                group.backendName(),
                iterations,
                replays.replays(group.backendName()),
                seed.seed());
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
