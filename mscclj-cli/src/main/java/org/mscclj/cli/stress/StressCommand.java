package org.mscclj.cli.stress;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.options.BackendOption;
import org.mscclj.cli.options.JsonOption;
import org.mscclj.cli.options.NodeOption;
import org.mscclj.cli.options.SeedOption;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.stress.chaos.Chaos;
import org.mscclj.cli.stress.fault.Aborts;
import org.mscclj.cli.stress.fault.Cuts;
import org.mscclj.cli.stress.fault.DeviceFaults;
import org.mscclj.cli.stress.fault.FaultResult;
import org.mscclj.cli.stress.fault.FaultScenario;
import org.mscclj.cli.stress.fault.FaultSettings;
import org.mscclj.cli.stress.fault.Kills;
import org.mscclj.cli.stress.fault.Mismatches;
import org.mscclj.cli.stress.fault.ScenarioResult;
import org.mscclj.cli.stress.fault.Stops;
import org.mscclj.cli.stress.rank.StressRankCommand;
import org.mscclj.conformance.operation.Operations;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;
import org.mscclj.spi.Feature;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code mscclj stress}: runs scenarios of load and of faults. */
@Command(
        name = "stress",
        header = "Test communicators under load and with failing ranks.",
        description = {
            "",
            "Ranks are threads unless stated otherwise. Each scenario has a group of its own:",
            "  overlap   two communicators with launches in flight at once",
            "  apart     ranks launch at different times: a launch blocks no rank",
            "  absent    a rank never calls: it is named, an abort ends all launches, and devices work on",
            "  bursts    several communicators are opened at once, and start with many launches",
            "  many      communicators are opened, used and closed in turn: no GPU memory leaks",
            "  objects   objects of random sizes are broadcast, gathered and scattered",
            "These run only if they are named:",
            "  kills       processes are killed during operations: the others name them, shrink, and continue",
            "                with new processes in their places",
            "  cuts        the connections of processes are cut: the others name them, and shrink",
            "  stops       processes are stopped: after the timeout they are named, before it all continues",
            "  mismatches  one process calls another operation: all ranks name the calls",
            "  aborts      another thread aborts during operations: all ranks wake up",
            "  chaos       processes are killed, terminated and stopped, one or two at a time, in 13 phases",
            "                from the rendezvous to the end, and again during recovery: the others name",
            "                them, and continue in one group. Numbers of ranks and nodes are random.",
            "  device-faults  kernels fault on purpose, on a backend with kernels of users: their ranks report",
            "                the driver's error, the others name the rank, and continue with a new process",
            "                in its place",
            "Faults happen during each operation in turn: more faults cover more operations and ranks.",
            ""
        },
        footer = {"", "Exit codes: 0 everything passed; 1 something did not; 2 bad usage."},
        subcommands = StressRankCommand.class)
public final class StressCommand implements Callable<Integer> {
    private static final String CHAOS = "chaos";
    private static final String DEVICE_FAULTS = "device-faults";

    private static final Duration APART = Duration.ofSeconds(2);
    private static final Duration ABSENT_TIMEOUT = Duration.ofMillis(500);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private BackendOption backend = new BackendOption();

    @Option(names = "--ranks", paramLabel = "N", description = "Number of ranks, 2 or more. Default: 2.")
    private int ranks = 2;

    @Mixin
    private NodeOption nodes = new NodeOption();

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            split = ",",
            description = "Scenarios to run. Default: overlap, apart, absent, bursts, many and objects.")
    private List<String> names = List.of();

    @Option(names = "--launches", paramLabel = "N", description = "Launches of overlap. Default: 10000.")
    private int launches = 10_000;

    @Option(
            names = "--openings",
            paramLabel = "N",
            description = "Number of times that bursts opens communicators. Default: 12.")
    private int openings = 12;

    @Option(names = "--communicators", paramLabel = "N", description = "Communicators of many. Default: 100.")
    private int communicators = 100;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Timeout of an operation, for example 500ms or 2m. Default: 30s.")
    private Duration timeout = Duration.ofSeconds(30);

    @Option(names = "--kills", paramLabel = "N", description = "Processes to kill in kills. Default: 8.")
    private int kills = 8;

    @Option(names = "--cuts", paramLabel = "N", description = "Processes to cut off in cuts. Default: 4.")
    private int cuts = 4;

    @Option(names = "--stops", paramLabel = "N", description = "Processes to stop in stops. Default: 4.")
    private int stops = 4;

    @Option(names = "--mismatches", paramLabel = "N", description = "Cases of mismatches. Default: 16.")
    private int mismatches = 16;

    @Option(names = "--aborts", paramLabel = "N", description = "Aborts of aborts. Default: 50.")
    private int aborts = 50;

    @Option(names = "--faults", paramLabel = "N", description = "Faulting kernels of device-faults. Default: 6.")
    private int faults = 6;

    @Option(names = "--cases", paramLabel = "N", description = "Cases of chaos. Default: 40.")
    private int cases = 40;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            description = "Concurrent cases of chaos, each with its own processes. Default: 1.")
    private int lanes = 1;

    @Option(
            names = "--case",
            paramLabel = "I",
            description = "The only case of chaos to run, by its number from 0; the same seed gives the same case.")
    private Optional<Integer> onlyCase = Optional.empty();

    @Option(
            names = "--operations",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Operations during which processes are killed, cut off and stopped, and communicators are aborted."
                            + " Default: all that the backend declares the features for.")
    private List<String> operations = List.of();

    @Option(
            names = "--limit",
            paramLabel = "TIME",
            description = "Time limit for the detection of a fault. Default: 1s.")
    private Duration limit = Duration.ofSeconds(1);

    @Option(
            names = "--late-after",
            paramLabel = "TIME",
            description =
                    "Seconds after which a launch is late in stops, mismatches and chaos; use more on a machine that"
                            + " stalls. Default: 4s in stops and chaos, 1s in mismatches.")
    private Optional<Duration> lateAfter = Optional.empty();

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private JsonOption json = new JsonOption();

    /** Called by picocli. */
    public StressCommand() {}

    @Override
    public Integer call() {
        LocalGroupOptions options = Usage.checked(spec, this::options);
        Map<String, Scenario> scenarios = scenarios();
        Map<String, FaultScenario> faults = faults();
        Set<String> chosen = Usage.checked(spec, () -> chosen(scenarios.keySet(), faults.keySet()));
        FaultSettings settings = new FaultSettings(
                ranks,
                options.ranksPerNode(),
                options.backend().orElseThrow(),
                timeout,
                limit,
                Usage.checked(spec, this::operations),
                seed.seed(),
                line -> print(spec.commandLine().getErr(), line));
        PrintWriter out =
                json.table(spec.commandLine().getOut(), spec.commandLine().getErr());
        out.println("# backend " + settings.backend() + ", " + ranks(chosen, settings) + ", seed " + settings.seed());
        List<ScenarioResult> results = new ArrayList<>();
        for (Map.Entry<String, Scenario> scenario : scenarios.entrySet()) {
            if (chosen.contains(scenario.getKey())) {
                results.add(run(scenario.getKey(), scenario.getValue(), options, out));
            }
        }
        for (Map.Entry<String, FaultScenario> fault : faults.entrySet()) {
            if (chosen.contains(fault.getKey())) {
                results.add(run(fault.getKey(), fault.getValue(), settings, out));
            }
        }
        long failed = results.stream().filter(result -> !result.isPassed()).count();
        print(out, "# " + (results.size() - failed) + " passed" + (failed == 0 ? "" : ", " + failed + " failed"));
        json.write(
                () -> Optional.of(text(settings, results)), spec.commandLine().getOut());
        return failed == 0 ? 0 : 1;
    }

    /** The scenario chaos draws random numbers of ranks and nodes for each case. */
    private static String ranks(Set<String> chosen, FaultSettings settings) {
        if (chosen.equals(Set.of(CHAOS))) {
            return "numbers of ranks and nodes are random";
        }
        return settings.ranks() + " ranks"
                + (settings.ranksPerNode() == settings.ranks() ? "" : ", as if on nodes of " + settings.ranksPerNode())
                + (chosen.contains(CHAOS) ? " (those of chaos are random)" : "");
    }

    private static ScenarioResult run(String name, Scenario scenario, LocalGroupOptions options, PrintWriter out) {
        LoadResult result = LoadResult.of(name, () -> scenario.run(options));
        print(out, (result.isPassed() ? "passed  " : "failed  ") + name + ": " + result.summary());
        return result;
    }

    private static FaultResult run(String name, FaultScenario scenario, FaultSettings settings, PrintWriter out) {
        FaultResult result = scenario.run(settings);
        print(out, (result.isPassed() ? "passed  " : "failed  ") + name + ": " + result.summary());
        result.details().forEach(line -> print(out, line));
        return result;
    }

    private static void print(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }

    private static String text(FaultSettings settings, List<ScenarioResult> results) {
        return JsonWriter.document(JsonLayout.REPORT, json -> {
            json.beginObject();
            json.field("backend", settings.backend());
            json.field("ranks", settings.ranks());
            json.field("ranksPerNode", settings.ranksPerNode());
            json.field("seed", settings.seed());
            json.field("passed", results.stream().allMatch(ScenarioResult::isPassed));
            json.beginArray("scenarios");
            results.forEach(result -> result.write(json));
            json.end();
            json.end();
        });
    }

    private LocalGroupOptions options() {
        if (ranks < 2) {
            throw InvalidArgumentException.of("--ranks", ranks, "2 or more");
        }
        requirePositive("--launches", launches);
        requirePositive("--openings", openings);
        requirePositive("--communicators", communicators);
        requirePositive("--kills", kills);
        requirePositive("--cuts", cuts);
        requirePositive("--stops", stops);
        requirePositive("--mismatches", mismatches);
        requirePositive("--aborts", aborts);
        requirePositive("--faults", faults);
        requirePositive("--cases", cases);
        requirePositive("--lanes", lanes);
        onlyCase.filter(number -> number < 0).ifPresent(number -> {
            throw InvalidArgumentException.of("--case", number, "0 or more");
        });
        lateAfter.filter(late -> late.toMillis() % 1000 != 0).ifPresent(late -> {
            throw InvalidArgumentException.of("--late-after", late.toMillis() + "ms", "whole seconds, 1 or more");
        });
        int most = InstalledBackend.find(Optional.of(backend.name()))
                .capabilities()
                .maxRanks();
        if (ranks > most) {
            throw InvalidArgumentException.of("--ranks", ranks, "2 to " + most + " on backend " + backend.name());
        }
        return LocalGroupOptions.ranks(ranks)
                .ranksPerNode(nodes.ranksPerNode(ranks).orElse(ranks))
                .backend(backend.name())
                .timeout(timeout);
    }

    private Set<Feature> features() {
        return InstalledBackend.find(Optional.of(backend.name())).capabilities().features();
    }

    private List<String> operations() {
        List<String> declared = Operations.names(features());
        for (String name : operations) {
            if (!declared.contains(name)) {
                throw InvalidArgumentException.of("--operations", name, "some of " + declared);
            }
        }
        return operations.isEmpty() ? declared : operations;
    }

    private static void requirePositive(String option, int given) {
        if (given < 1) {
            throw InvalidArgumentException.of(option, given, "1 or more");
        }
    }

    private Map<String, Scenario> scenarios() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("overlap", new OverlappingLaunches(launches));
        all.put("apart", new StaggeredLaunches(APART));
        all.put("absent", new MissingRank(ABSENT_TIMEOUT));
        all.put("bursts", new FirstLaunchBursts(openings));
        all.put("many", new ManyCommunicators(communicators));
        all.put("objects", new ObjectExchanges(seed.seed()));
        return all;
    }

    private Map<String, FaultScenario> faults() {
        Map<String, FaultScenario> all = new LinkedHashMap<>();
        all.put("kills", new Kills(kills));
        all.put("cuts", new Cuts(cuts));
        all.put("stops", new Stops(stops, lateAfter.orElse(Stops.USUAL_TIMEOUT)));
        all.put("mismatches", new Mismatches(mismatches, lateAfter.orElse(Mismatches.USUALLY_LATE)));
        all.put("aborts", new Aborts(aborts));
        all.put(CHAOS, new Chaos(cases, onlyCase, lanes, lateAfter.orElse(Chaos.USUAL_TIMEOUT), features()));
        all.put(DEVICE_FAULTS, new DeviceFaults(faults));
        return all;
    }

    private Set<String> chosen(Set<String> scenarios, Set<String> faults) {
        Set<String> all = new LinkedHashSet<>(scenarios);
        all.addAll(faults);
        for (String name : names) {
            if (!all.contains(name)) {
                throw InvalidArgumentException.of("--scenario", name, "one of " + all);
            }
        }
        if (names.contains(DEVICE_FAULTS) && !features().contains(Feature.DEVICE_CHANNELS)) {
            throw InvalidArgumentException.of(
                    "--scenario " + DEVICE_FAULTS,
                    "for backend " + backend.name(),
                    "for a backend that runs kernels of users (DEVICE_CHANNELS), as cuda does");
        }
        return names.isEmpty() ? scenarios : new LinkedHashSet<>(names);
    }
}
