package org.mscclj.cli.stress;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.options.BackendOption;
import org.mscclj.cli.options.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tries what breaks only under load, or when ranks misbehave. */
@Command(
        name = "stress",
        header = "Try what breaks only under load, or when ranks misbehave.",
        description = {
            "",
            "Ranks are threads. Each scenario has a group of its own:",
            "  overlap   two communicators with launches in flight at once",
            "  apart     ranks launch at different times: nobody is held up",
            "  absent    a rank never calls: it is named, an abort ends the rest, and devices go on",
            "  many      communicators are made, used and closed, one after the other",
            ""
        },
        footer = {"", "Exit codes: 0 everything passed; 1 something did not; 2 bad usage."})
public final class StressCommand implements Callable<Integer> {
    private static final Duration APART = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofMillis(500);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private BackendOption backend = new BackendOption();

    @Option(names = "--ranks", paramLabel = "N", description = "Number of ranks, 2 or more. Default: 2.")
    private int ranks = 2;

    @Option(
            names = "--scenario",
            paramLabel = "NAME[,…]",
            split = ",",
            description = "overlap, apart, absent or many. Default: all of them.")
    private List<String> names = List.of();

    @Option(names = "--launches", paramLabel = "N", description = "Launches of overlap. Default: 10000.")
    private int launches = 10_000;

    @Option(names = "--communicators", paramLabel = "N", description = "Communicators of many. Default: 100.")
    private int communicators = 100;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "What an operation may take, for example 500ms or 2m. Default: 30s.")
    private Duration timeout = Duration.ofSeconds(30);

    /** For picocli. */
    public StressCommand() {}

    @Override
    public Integer call() {
        LocalGroupOptions options = Usage.checked(spec, this::options);
        Map<String, Scenario> chosen = Usage.checked(spec, this::scenarios);
        PrintWriter out = spec.commandLine().getOut();
        out.println("# backend " + options.backend().orElseThrow() + ", " + ranks + " ranks");
        boolean passed = true;
        for (Map.Entry<String, Scenario> scenario : chosen.entrySet()) {
            String result;
            try {
                result = "passed  " + scenario.getKey() + ": "
                        + scenario.getValue().run(options);
            } catch (RuntimeException e) {
                passed = false;
                result = "failed  " + scenario.getKey() + ": " + e;
            }
            out.println(result);
            out.flush();
        }
        return passed ? 0 : 1;
    }

    private LocalGroupOptions options() {
        if (ranks < 2) {
            throw InvalidArgumentException.of("--ranks", ranks, "2 or more");
        }
        return LocalGroupOptions.ranks(ranks).backend(backend.name()).timeout(timeout);
    }

    private Map<String, Scenario> scenarios() {
        if (launches < 1 || communicators < 1) {
            throw InvalidArgumentException.of(
                    "--launches and --communicators", launches + " and " + communicators, "1 or more");
        }
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("overlap", new Overlap(launches));
        all.put("apart", new Apart(APART));
        all.put("absent", new Absent(PATIENCE));
        all.put("many", new Many(communicators));
        for (String name : names) {
            if (!all.containsKey(name)) {
                throw InvalidArgumentException.of("--scenario", name, "one of " + all.keySet());
            }
        }
        if (!names.isEmpty()) {
            all.keySet().retainAll(names);
        }
        return all;
    }
}
