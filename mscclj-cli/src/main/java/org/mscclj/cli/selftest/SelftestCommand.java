package org.mscclj.cli.selftest;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.report.OutputFolder;
import org.mscclj.cli.report.TextTarget;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code mscclj selftest}: runs the parts, and writes the reports. */
@Command(
        name = "selftest",
        sortOptions = false,
        header = "Check this machine in one go: info, plans, conformance, benchmarks, and faults if wanted.",
        description = {
            "",
            "Each part runs by itself and has a time limit; one that fails, hangs or crashes does not stop the"
                    + " others. A table of all"
                    + " parts comes last. The folder of --output receives results.json, results.html, a self-contained"
                    + " file, and the output of each part.",
            ""
        },
        footer = {"", "Exit codes: 0 everything passed; 1 something did not; 2 bad usage."})
public final class SelftestCommand implements Callable<Integer> {
    private static final int MAX_MINUTES = 10_000;

    /** Share of the time for {@code mscclj info}. */
    private static final int SHARE_OF_INFO = 10;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--parts",
            paramLabel = "PART",
            split = ",",
            description = "info, plans, conformance, perf or stress, which causes faults. Default: all but stress.")
    private PartKind[] kinds = {PartKind.INFO, PartKind.PLANS, PartKind.CONFORMANCE, PartKind.PERF};

    // Not the shared option, since this process itself needs no backend.
    @Option(
            names = "--backend",
            paramLabel = "NAME",
            description = "See mscclj info. Default: the best that is available.")
    private Optional<String> backend = Optional.empty();

    @Option(
            names = "--ranks",
            paramLabel = "N",
            split = ",",
            description = "Numbers of ranks of plans, benchmarks and stress. Default: 2,4.")
    private List<Integer> ranks = List.of(2, 4);

    @Option(
            names = "--worlds",
            paramLabel = "N",
            split = ",",
            description = "Numbers of ranks of rules. Default: those of mscclj conformance.")
    private List<Integer> worlds = List.of();

    @Option(
            names = "--as",
            paramLabel = "WHERE",
            split = ",",
            description = "Run ranks as threads or processes. Default: both, in sequence.")
    private RankKind[] wheres = RankKind.values();

    @Option(
            names = "--plans",
            paramLabel = "PATH",
            description = "A plan, or a folder of plans, for the part plans; may be given several times. Those with"
                    + " the numbers of"
                    + " --ranks are run. Default: the plans of examples/.")
    private List<Path> plans = List.of();

    @Option(
            names = "--except",
            paramLabel = "NAME",
            split = ",",
            description = "Plans to leave out; see mscclj run --help.")
    private List<String> except = List.of();

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            description = "Library to compare benchmarks with; see mscclj perf --help. Default: none.")
    private Optional<String> peer = Optional.empty();

    @Option(
            names = "--peer-if-usable",
            paramLabel = "NAME",
            description = "The same, but not mpi, unless mscclj info says that it cannot be used here.")
    private Optional<String> peerIfUsable = Optional.empty();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "Time limit of all parts together. Default: ${DEFAULT-VALUE}.")
    private double minutes = 7.5;

    @Option(names = "--quick", description = "Fewer types and sizes, and only allreduce is measured.")
    private boolean quick;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "Folder for results, created if it does not exist. Default: ${DEFAULT-VALUE}.")
    private Path output = Path.of("mscclj-selftest");

    /** Called by picocli. */
    public SelftestCommand() {}

    @Override
    public Integer call() {
        SelftestPlan plan = plan();
        List<SelftestPart> usual = Usage.checked(spec, () -> SelftestParts.of(plan));
        Usage.checked(spec, () -> OutputFolder.make("--output", output));
        long start = System.nanoTime();
        Duration total = Duration.ofMillis((long) (minutes * 60_000));
        boolean asks = mayHavePeer(plan) || mayShareGpus(plan);
        SelftestPlan there =
                asks ? suited(plan, Machine.ask(output.resolve("machine.log"), total.dividedBy(SHARE_OF_INFO))) : plan;
        TimeBudget budget = new TimeBudget(total, plan.kinds());
        List<SelftestPart> parts = asks ? SelftestParts.of(there) : usual;
        SelftestResults results = SelftestResults.ofNow(new Selftest(there, parts, budget, this::note).run(start));
        PrintWriter out = spec.commandLine().getOut();
        new TextTarget(plan.file("results.json")).write("--output", SelftestJson.of(results), out);
        new TextTarget(plan.file("results.html")).write("--output", SelftestHtml.of(results), out);
        PartTable.print(out, results.parts());
        out.println("# " + results.sum() + ": " + plan.file("results.html"));
        out.flush();
        return results.isRight() ? 0 : 1;
    }

    private void note(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    private boolean mayHavePeer(SelftestPlan plan) {
        return peerIfUsable.isPresent() && plan.kinds().contains(PartKind.PERF);
    }

    /** Whether the number of GPUs matters. */
    private static boolean mayShareGpus(SelftestPlan plan) {
        return !plan.kinds().equals(EnumSet.of(PartKind.INFO))
                && plan.wheres().contains(RankKind.PROCESSES)
                && GpuVendor.of(plan.backend()).isPresent();
    }

    /** Creates the plan for a machine. */
    private SelftestPlan suited(SelftestPlan plan, Machine machine) {
        machine.silence().ifPresent(this::note);
        SelftestPlan there = mayShareGpus(plan) ? plan.withGpus(machine.gpus(plan.backend())) : plan;
        plan.ranks().stream()
                .filter(number -> plan.kinds().contains(PartKind.PLANS) && there.shareGpus(number))
                .forEach(number -> note("plans by " + number
                        + " processes are run with fewer types and sizes: there are " + there.gpus() + " GPUs"));
        return usablePeer(plan, machine).map(there::withPeer).orElse(there);
    }

    /** Returns the requested peer if it is usable and benchmarks are among the parts. */
    private Optional<ComparedLibrary> usablePeer(SelftestPlan plan, Machine machine) {
        if (!mayHavePeer(plan)) {
            return Optional.empty();
        }
        String name = peerIfUsable.orElseThrow();
        Optional<String> obstacle = machine.obstacle(name);
        if (obstacle.isPresent()) {
            note("benchmarks are compared with nothing: " + obstacle.get());
            return Optional.empty();
        }
        ComparedLibrary usable = new ComparedLibrary(name, machine.gpus(plan.backend()));
        if (ranks.stream().anyMatch(number -> number > usable.mostRanks())) {
            note("benchmarks of more than " + usable.mostRanks() + " ranks are compared with nothing: " + name
                    + " needs a GPU for each rank");
        }
        return Optional.of(usable);
    }

    private SelftestPlan plan() {
        if (!(minutes > 0 && minutes <= MAX_MINUTES)) {
            throw Usage.wrong(spec, "--minutes is " + minutes + "; allowed: more than 0, at most " + MAX_MINUTES);
        }
        peerIfUsable.filter(name -> !Machine.PEERS.contains(name)).ifPresent(name -> {
            throw Usage.wrong(spec, "--peer-if-usable is " + name + "; allowed: one of " + Machine.PEERS);
        });
        if (peer.isPresent() && peerIfUsable.isPresent()) {
            throw Usage.wrong(spec, "--peer and --peer-if-usable are given; leave one of them out");
        }
        List<Integer> ascending = numbers("--ranks", ranks);
        Set<PartKind> chosen = EnumSet.copyOf(Arrays.asList(kinds));
        List<Path> wanted = plans.isEmpty() ? ExamplePlans.find().stream().toList() : plans;
        if (chosen.contains(PartKind.PLANS) && wanted.isEmpty()) {
            throw Usage.wrong(
                    spec, "--plans is missing; name a plan or a folder of plans, or leave plans out of --parts");
        }
        return new SelftestPlan(
                chosen,
                backend,
                ascending,
                numbers("--worlds", worlds),
                Stream.of(wheres).distinct().sorted().toList(),
                wanted,
                except,
                peer.map(ComparedLibrary::always),
                0,
                quick,
                output);
    }

    private List<Integer> numbers(String option, List<Integer> given) {
        if (given.stream().anyMatch(number -> number < 1)) {
            throw Usage.wrong(spec, option + " is " + given + "; allowed: 1 or more each");
        }
        return List.copyOf(new TreeSet<>(given));
    }
}
