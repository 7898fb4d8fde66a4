package org.mscclj.cli.conformance;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.options.BackendOption;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.report.OutputFolder;
import org.mscclj.conformance.group.RankCommand;
import org.mscclj.conformance.report.Report;
import org.mscclj.conformance.rule.Rule;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.suite.CaseResult;
import org.mscclj.conformance.suite.Exclusions;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.suite.Soak;
import org.mscclj.conformance.suite.SoakResult;
import org.mscclj.conformance.suite.Suite;
import org.mscclj.conformance.suite.SuiteOptions;
import org.mscclj.conformance.suite.Unexplained;
import org.mscclj.spi.device.BackendProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code mscclj conformance}: runs the conformance suite without a test framework. */
@Command(
        name = "conformance",
        sortOptions = false,
        header = "Check a backend against the rules of docs/SPEC.md.",
        description = {
            "",
            "Each rule is checked in each mode: ranks as threads, as threads on several nodes, as processes, and if"
                    + " you ask for it as processes on several nodes."
                    + " What is not supported is"
                    + " skipped, and said so.",
            ""
        },
        footer = {"", "Exit codes: 0 every rule is kept or skipped; 1 a rule is broken; 2 bad usage."})
public final class ConformanceCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private BackendOption backend = new BackendOption();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            split = ",",
            description =
                    "threads, nodes, processes or process-nodes, which are processes on several nodes. Default: the"
                            + " first three.")
    private List<Mode> modes = Mode.USUAL;

    @Option(
            names = "--depth",
            paramLabel = "DEPTH",
            description = "quick (seconds), sample (minutes) or full (minutes for threads, an hour or more for"
                    + " processes). Default: sample.")
    private Depth depth = Depth.SAMPLE;

    @Option(names = "--report", paramLabel = "DIR", description = "Write the results as JSON and HTML to a folder.")
    private Optional<Path> report = Optional.empty();

    @Option(names = "--strict", description = "Let a skip count as a failure.")
    private boolean strict;

    @Option(
            names = "--exclude",
            paramLabel = "FILE",
            description = "Rules known to be broken: lines of rule | mode or * | last day | reason.")
    private Optional<Path> exclude = Optional.empty();

    @Option(
            names = "--case",
            paramLabel = "LINE",
            description = "Run one case again, from the line that a report printed.")
    private Optional<String> line = Optional.empty();

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            split = ",",
            description = "Check only the rules about these shipped programs, and the rules that"
                    + " those depend on;"
                    + " all is every program. Default: all rules.")
    private List<String> algorithms = List.of();

    @Option(
            names = "--rule",
            paramLabel = "ID",
            split = ",",
            description = "Check only these rules, and those that they depend on. Default: all rules.")
    private List<String> ids = List.of();

    @Option(
            names = "--smoke",
            description = "Check only a few rules of each sort, and those that they depend on; none waits"
                    + " until a timeout has passed.")
    private boolean smoke;

    @Option(names = "--no-waits", description = "Leave out the rules that wait for a timeout; each takes seconds.")
    private boolean noWaits;

    @Option(
            names = "--graphs",
            description = "Launch operations by replaying graphs. Checks only the rules about results, and those that"
                    + " are given.")
    private boolean graphs;

    @Option(
            names = "--busy-carriers",
            description =
                    "Keep all carriers of virtual threads busy in each process with ranks, as an application may. Each"
                            + " rule must hold nevertheless.")
    private boolean busyCarriers;

    @Option(
            names = "--world",
            paramLabel = "N",
            split = ",",
            description = "Try groups of these numbers of ranks. Default: as the depth says.")
    private List<Integer> worlds = List.of();

    @Option(
            names = "--rank-command",
            paramLabel = "COMMAND",
            description = "Start each rank that is a process by this command, to which the command line of Java is"
                    + " added. Words are separated by blanks; {rank} in them is the rank, and {node} its node, from 0."
                    + " \"ssh host{node}\" starts ranks on other hosts, which have the same files in the same places.")
    private String rankCommand = "";

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the inputs and of the sample. Default: 1.")
    private long seed = 1;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Timeout of an operation, for example 500ms or 2m. Default: 20s.")
    private Duration timeout = Duration.ofSeconds(20);

    @Option(
            names = "--soak",
            arity = "0..1",
            fallbackValue = "30m",
            paramLabel = "TIME",
            description = "Run random cases of all rules for this time, divided equally among the modes,"
                    + " and check at the end that threads, files, processes and"
                    + " memory of this process are as before, and that memory has not grown from round"
                    + " to round, which takes at least twenty rounds. Ranks that are"
                    + " processes are not examined. Without TIME: 30m.")
    private Optional<Duration> soak = Optional.empty();

    /** Called by picocli. */
    public ConformanceCommand() {}

    @Override
    public Integer call() {
        List<Rule> rules = Usage.checked(spec, this::rules);
        Usage.checked(spec, () -> report.map(folder -> OutputFolder.make("--report", folder)));
        BackendProvider provider = InstalledBackend.find(Optional.of(Usage.checked(spec, backend::name)));
        SuiteOptions options = SuiteOptions.sample()
                .modes(modes)
                .depth(depth)
                .worlds(worlds)
                .seed(seed)
                .strict(strict)
                .timeout(timeout)
                .graphs(graphs)
                .busyCarriers(busyCarriers)
                .rankCommand(RankCommand.parse(rankCommand))
                .exclusions(exclude.map(Exclusions::read).orElseGet(Exclusions::none));
        if (soak.isPresent()) {
            return soak(provider, options, soak.get());
        }
        return line.isPresent()
                ? tryAgain(provider, options, TestCase.parse(line.get()))
                : checkAll(provider, options, rules);
    }

    private List<Rule> rules() {
        boolean named = !algorithms.isEmpty() || !ids.isEmpty();
        if (Stream.of(smoke, noWaits, graphs).filter(chosen -> chosen).count() > 1 || (named && (smoke || noWaits))) {
            throw new InvalidArgumentException(
                    "--smoke, --no-waits, --graphs and the rules that --rule and --algorithm name are different"
                            + " choices; give one, or --graphs with rules");
        }
        if (!named) {
            return smoke ? Rules.ofSmoke() : noWaits ? Rules.withoutWaits() : graphs ? Rules.ofReplays() : Rules.all();
        }
        if (line.isPresent()) {
            throw new InvalidArgumentException(
                    "--algorithm and --rule select rules, and --case selects one case; leave one out");
        }
        // A name is parsed as ShippedProgram.parse does; "all" is no program's name.
        List<Rule> rules = new ArrayList<>(Rules.ofAlgorithms(algorithms.stream()
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .toList()));
        ids.forEach(id -> rules.add(Rules.find(id.strip())));
        return rules;
    }

    private int tryAgain(BackendProvider provider, SuiteOptions options, TestCase test) {
        try (Suite suite = suite(provider, options, test.mode())) {
            CaseResult result = suite.tryCase(Rules.find(test.rule()), test);
            out().println(result.outcome().label() + (result.reason().isEmpty() ? "" : ": " + result.reason()));
            return unexplained(suite).isEmpty() && result.outcome() != Outcome.FAILED ? 0 : 1;
        }
    }

    private int soak(BackendProvider provider, SuiteOptions options, Duration length) {
        if (line.isPresent() || !ids.isEmpty() || !algorithms.isEmpty() || smoke || noWaits || report.isPresent()) {
            throw Usage.wrong(
                    spec,
                    "--soak tries random cases of all rules, and prints its report; leave out --case, --rule,"
                            + " --algorithm, --smoke, --no-waits and --report");
        }
        boolean passed = true;
        for (Mode mode : options.modes()) {
            out().println("# backend " + provider.name() + ", " + mode + ", soak, seed " + options.seed());
            out().flush();
            SoakResult result = new Soak(
                            mode, options, options.groups(provider.name()), InstalledBackend.onThisHost(provider))
                    .run(length.dividedBy(options.modes().size()));
            result.lines().forEach(out()::println);
            out().flush();
            passed &= result.isPassed();
        }
        return passed ? 0 : 1;
    }

    private List<Unexplained> unexplained(Suite suite) {
        List<Unexplained> left = suite.unexplained();
        left.forEach(one -> out().println("# unexplained: " + one.text()));
        return left;
    }

    private int checkAll(BackendProvider provider, SuiteOptions options, List<Rule> rules) {
        Report results = new Report(provider.name());
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        for (Mode mode : options.modes()) {
            out().println("# backend " + provider.name() + ", " + mode + ", " + options.depth()
                    + (options.worlds().isEmpty() ? "" : ", ranks " + options.worlds()) + ", seed " + options.seed()
                    + (options.graphs() ? ", by graphs" : "")
                    + (options.busyCarriers() ? ", busy carriers" : ""));
            try (Suite suite = suite(provider, options, mode)) {
                suite.run(rules, result -> {
                    results.add(result);
                    counts.merge(result.outcome(), 1, Integer::sum);
                    print(result);
                });
                for (Unexplained left : unexplained(suite)) {
                    results.add(left);
                    counts.merge(Outcome.FAILED, 1, Integer::sum);
                }
            }
        }
        out().println("# "
                + Arrays.stream(Outcome.values())
                        .filter(counts::containsKey)
                        .map(outcome -> counts.get(outcome) + " " + outcome.label())
                        .collect(Collectors.joining(", ")));
        report.ifPresent(folder -> {
            results.write(folder);
            err().println("report: " + folder.resolve("conformance-" + provider.name() + ".html"));
        });
        return counts.containsKey(Outcome.FAILED) ? 1 : 0;
    }

    private Suite suite(BackendProvider provider, SuiteOptions options, Mode mode) {
        return new Suite(mode, options, options.groups(provider.name()), InstalledBackend.onThisHost(provider));
    }

    private void print(RuleResult result) {
        out().println(String.format(
                Locale.ROOT,
                "%-10s %-58s %5d cases %8.2f s",
                result.outcome().label(),
                result.rule().testName(),
                result.cases(),
                result.took().toMillis() / 1000.0));
        if (!result.reason().isEmpty()) {
            out().println("           " + result.reason());
        }
        if (result.outcome() == Outcome.FAILED) {
            result.notable()
                    .forEach(notable -> out().println(
                                    "           --case \"" + notable.test().line() + '"'));
        }
        out().flush();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
