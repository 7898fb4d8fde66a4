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

/** Reads the command line of {@code mscclj selftest}, runs the parts, and writes the reports. */
@Command(
        name = "selftest",
        sortOptions = false,
        header = "Check this machine in one go: info, plans, conformance, benchmarks, and faults if wanted.",
        description = {
            "",
            "Each part runs by itself and has a time limit; one that fails, hangs or crashes does not stop the"
                    + " others. A table of all"
                    + " parts comes last. The folder of --output gets results.json, results.html, which needs no other"
                    + " file, and what each part printed and wrote.",
            ""
        },
        footer = {"", "Exit codes: 0 everything passed; 1 something did not; 2 bad usage."})
public final class SelftestCommand implements Callable<Integer> {
    private static final int MOST_MINUTES = 10_000;
    private static final String CUDA = "cuda";

    /** Of the time, for asking what there is. */
    private static final int SHARE_OF_INFO = 10;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--parts",
            paramLabel = "PART",
            split = ",",
            description = "info, plans, conformance, perf or stress, which has faults in it. Default: all but stress.")
    private PartKind[] kinds = {PartKind.INFO, PartKind.PLANS, PartKind.CONFORMANCE, PartKind.PERF};

    // Not the option that other commands share: no part of this process needs a backend.
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
            description = "Ranks are threads or processes. Default: one after the other.")
    private Where[] wheres = Where.values();

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
            description = "Plans that are left out; see mscclj run --help.")
    private List<String> except = List.of();

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            description = "What benchmarks are compared with; see mscclj perf --help. Default: nothing.")
    private Optional<String> peer = Optional.empty();

    @Option(
            names = "--peer-if-usable",
            paramLabel = "NAME",
            description = "The same, nccl or nccl-symmetric, unless mscclj info says that it cannot be used here.")
    private Optional<String> peerIfUsable = Optional.empty();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "What all parts may take together. Default: ${DEFAULT-VALUE}.")
    private double minutes = 7.5;

    @Option(names = "--quick", description = "Fewer types and sizes, and only allreduce is measured.")
    private boolean quick;

    @Option(
            names = "--output",
            paramLabel = "FOLDER",
            description = "Where to write; made if it is not there. Default: ${DEFAULT-VALUE}.")
    private Path output = Path.of("mscclj-selftest");

    /** For picocli. */
    public SelftestCommand() {}

    @Override
    public Integer call() {
        SelftestPlan plan = plan();
        List<Part> usual = Usage.checked(spec, () -> Parts.of(plan));
        Usage.checked(spec, () -> OutputFolder.make("--output", output));
        long start = System.nanoTime();
        Duration total = Duration.ofMillis((long) (minutes * 60_000));
        boolean asks = mayHavePeer(plan) || mayShareGpus(plan);
        SelftestPlan there =
                asks ? suited(plan, Machine.ask(output.resolve("machine.log"), total.dividedBy(SHARE_OF_INFO))) : plan;
        TimeBudget budget = new TimeBudget(total, plan.kinds());
        List<Part> parts = asks ? Parts.of(there) : usual;
        SelftestResults results = SelftestResults.ofNow(new Selftest(there, parts, budget, this::tell).run(start));
        PrintWriter out = spec.commandLine().getOut();
        new TextTarget(plan.file("results.json")).write("--output", SelftestJson.of(results), out);
        new TextTarget(plan.file("results.html")).write("--output", SelftestHtml.of(results), out);
        PartTable.print(out, results.parts());
        out.println("# " + results.sum() + ": " + plan.file("results.html"));
        out.flush();
        return results.isRight() ? 0 : 1;
    }

    private void tell(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    private boolean mayHavePeer(SelftestPlan plan) {
        return peerIfUsable.isPresent() && plan.kinds().contains(PartKind.PERF);
    }

    /** Whether it matters how many GPUs there are. */
    private static boolean mayShareGpus(SelftestPlan plan) {
        return !plan.kinds().equals(EnumSet.of(PartKind.INFO))
                && plan.wheres().contains(Where.PROCESSES)
                && plan.backend().filter(CUDA::equals).isPresent();
    }

    /** What is to be done on a machine. */
    private SelftestPlan suited(SelftestPlan plan, Machine machine) {
        machine.silence().ifPresent(this::tell);
        SelftestPlan there = mayShareGpus(plan) ? plan.withGpus(machine.gpus()) : plan;
        plan.ranks().stream()
                .filter(number -> plan.kinds().contains(PartKind.PLANS) && there.shareGpus(number))
                .forEach(number -> tell("plans by " + number
                        + " processes are run with fewer types and sizes: there are " + there.gpus() + " GPUs"));
        return usablePeer(plan, machine).map(there::withPeer).orElse(there);
    }

    /** The peer that is wanted if it can be used, and benchmarks are among the parts. */
    private Optional<Peer> usablePeer(SelftestPlan plan, Machine machine) {
        if (!mayHavePeer(plan)) {
            return Optional.empty();
        }
        String name = peerIfUsable.orElseThrow();
        Optional<String> obstacle = machine.obstacle(name);
        if (obstacle.isPresent()) {
            tell("benchmarks are compared with nothing: " + obstacle.get());
            return Optional.empty();
        }
        Peer usable = new Peer(name, machine.gpus());
        if (ranks.stream().anyMatch(number -> number > usable.mostRanks())) {
            tell("benchmarks of more than " + usable.mostRanks() + " ranks are compared with nothing: " + name
                    + " needs a GPU for each rank");
        }
        return Optional.of(usable);
    }

    private SelftestPlan plan() {
        if (!(minutes > 0 && minutes <= MOST_MINUTES)) {
            throw Usage.wrong(spec, "--minutes is " + minutes + "; allowed: more than 0, at most " + MOST_MINUTES);
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
                peer.map(Peer::always),
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
