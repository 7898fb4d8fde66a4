package org.mscclj.cli.launch;

import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.Platform;
import org.mscclj.api.ProviderStatus;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.launch.LaunchSettings.OnFailure;
import org.mscclj.cli.launch.LaunchSettings.Program;
import org.mscclj.cli.ranks.ProcessRank;
import org.mscclj.cli.ranks.RankSettings;
import org.mscclj.cli.ranks.Ranks;
import org.mscclj.cli.ranks.ThreadRanks;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Options of commands that run on ranks. Where the ranks live follows from them and from the environment: if a launcher named a rank, this process is
 * that rank; else with {@code --procs} it starts itself once a rank; else ranks are threads.
 */
public final class GroupOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--procs",
            description =
                    "Run each rank as a process of its own. So it is anyway under mpirun, torchrun, srun or mscclj"
                            + " launch, where each process is one rank.")
    private boolean procs;

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            description = "See mscclj info. Default: the best that is available.")
    private Optional<String> backend = Optional.empty();

    @Option(
            names = "--ranks-per-node",
            paramLabel = "N",
            description = "Treat ranks as if on different nodes, N on each. Default: all on one.")
    private Optional<Integer> ranksPerNode = Optional.empty();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "What a launch or its preparation may take, for example 500ms or 2m. Default: 30s.")
    private Duration timeout = Duration.ofSeconds(30);

    /** For picocli. */
    public GroupOptions() {}

    /** Timeouts of the ranks. */
    public RankSettings settings() {
        return RankSettings.of(timeout);
    }

    /** Number of ranks that the environment names; empty if it names none. */
    public OptionalInt launchedRanks() {
        return environment().map(own -> OptionalInt.of(own.size())).orElse(OptionalInt.empty());
    }

    /** Whether this command has to start the ranks, by {@link #launch}. */
    public boolean mustLaunch() {
        return procs && environment().isEmpty();
    }

    /**
     * Starts this command once a rank, and waits.
     *
     * @return the exit code
     */
    public int launch(int ranks) {
        requireDivisor(ranks);
        LaunchSettings settings = new LaunchSettings(
                Program.THIS_COMMAND,
                SameCommand.of(spec.root().commandLine().getParseResult().originalArgs()),
                ranks,
                ranksPerNode.orElse(ranks),
                OnFailure.STOP,
                false);
        return RankProcesses.run(
                settings, spec.commandLine().getOut(), spec.commandLine().getErr());
    }

    /**
     * The ranks that are to run here.
     *
     * @throws ParameterException if the environment names another number of ranks
     */
    public Ranks ranks(int ranks, String name) {
        Optional<CommunicatorOptions> launched = environment();
        return launched.isPresent() ? process(launched.get(), ranks, name) : threads(ranks, name);
    }

    private Ranks threads(int ranks, String name) {
        LocalGroupOptions options =
                LocalGroupOptions.ranks(ranks).timeout(timeout).name(name);
        if (ranksPerNode.isPresent()) {
            options = options.ranksPerNode(requireDivisor(ranks));
        }
        return new ThreadRanks(backend.isPresent() ? options.backend(backend.get()) : options);
    }

    private Ranks process(CommunicatorOptions launched, int ranks, String name) {
        if (launched.size() != ranks) {
            throw usage("the launcher started " + launched.size() + " processes, but there are " + ranks
                    + " ranks; start " + ranks);
        }
        CommunicatorOptions options = launched.timeout(timeout).name(name);
        if (ranksPerNode.isPresent()) {
            options = options.ranksPerNode(requireDivisor(ranks));
        }
        return new ProcessRank(backend.isPresent() ? options.backend(backend.get()) : options);
    }

    private int requireDivisor(int ranks) {
        int perNode = ranksPerNode.orElse(ranks);
        if (perNode < 1 || ranks % perNode != 0) {
            throw usage("ranks per node is " + perNode + "; allowed: a divisor of " + ranks);
        }
        return perNode;
    }

    private Optional<CommunicatorOptions> environment() {
        try {
            return CommunicatorOptions.detect(System.getenv());
        } catch (InvalidArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    /**
     * The name of the backend that will be used.
     *
     * @throws ParameterException if it is not available
     */
    public String backendName() {
        List<ProviderStatus> all = Platform.instance().backends();
        Optional<ProviderStatus> found = all.stream()
                .filter(status -> backend.isPresent()
                        ? status.name().equals(backend.get())
                        : status.unavailable().isEmpty())
                .findFirst();
        if (found.isEmpty()) {
            throw usage("--backend is " + backend.orElse("not given") + "; allowed: one of "
                    + all.stream().map(ProviderStatus::name).toList() + ", see mscclj info");
        }
        found.get().unavailable().ifPresent(reason -> {
            throw usage("--backend is " + found.get().name() + ", which is not available: " + reason);
        });
        return found.get().name();
    }

    /** What a rank prints to: nothing is repeated by ranks other than 0. */
    public static PrintWriter forFirst(Ranks ranks, PrintWriter writer) {
        return ranks.includesFirst() ? writer : new PrintWriter(Writer.nullWriter());
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
