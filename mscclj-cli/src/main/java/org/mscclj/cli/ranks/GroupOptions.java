package org.mscclj.cli.ranks;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.type.DataType;
import org.mscclj.cli.launch.SameCommand;
import org.mscclj.cli.options.BackendOption;
import org.mscclj.cli.options.NodeOption;
import org.mscclj.cli.options.Usage;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.spi.Feature;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options of commands that run on ranks. They and the environment determine how ranks run: if a launcher has
 * assigned a rank, this process is that rank; otherwise, with {@code --procs}, the command starts itself once for each
 * rank; otherwise ranks are threads.
 */
public final class GroupOptions {
    /** Element type of the exchange between processes, see {@link CommunicatorExchange}. */
    private static final Set<DataType> EXCHANGED = Set.of(DataType.INT8);

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--procs",
            description = "Run each rank as a process. This is always the case under mpirun, torchrun, srun or mscclj"
                    + " launch, where each process is one rank.")
    private boolean procs;

    @Mixin
    private BackendOption backend = new BackendOption();

    @Mixin
    private NodeOption nodes = new NodeOption();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Timeout of a launch and of its set-up, for example 500ms or 2m. Default: 30s.")
    private Duration timeout = Duration.ofSeconds(30);

    /** Called by picocli. */
    public GroupOptions() {}

    /** Returns the timeouts of the ranks. */
    public RankSettings settings() {
        return RankSettings.of(timeout);
    }

    /** Returns the number of ranks that the environment names; empty if it names none. */
    public OptionalInt launchedRanks() {
        return environment().map(own -> OptionalInt.of(own.size())).orElse(OptionalInt.empty());
    }

    /** Whether this command must start the ranks by {@link #launch}. */
    public boolean mustLaunch() {
        return procs && environment().isEmpty();
    }

    /**
     * Starts this command once for each rank, and waits.
     *
     * @return the exit code
     */
    public int launch(int ranks) {
        requireRoom(ranks);
        return SameCommand.launch(
                spec.root().commandLine().getParseResult().originalArgs(),
                ranks,
                ranksPerNode(ranks).orElse(ranks),
                spec.commandLine().getOut(),
                spec.commandLine().getErr());
    }

    /**
     * Returns the ranks that run in this process.
     *
     * @throws ParameterException if the environment names another number of ranks
     */
    public Ranks ranks(int ranks, String name) {
        return ranks(ranks, name, Optional.empty());
    }

    /**
     * Returns the ranks that run in this process, as {@link #ranks(int, String)}. They follow no measured choices, also
     * if the environment names a file of them.
     */
    public Ranks untunedRanks(int ranks, String name) {
        return ranks(ranks, name, Optional.of(Path.of("")));
    }

    private Ranks ranks(int ranks, String name, Optional<Path> tuning) {
        Optional<CommunicatorOptions> launched = environment();
        return launched.isPresent() ? process(launched.get(), ranks, name, tuning) : threads(ranks, name, tuning);
    }

    private Ranks threads(int ranks, String name, Optional<Path> tuning) {
        LocalGroupOptions common =
                LocalGroupOptions.ranks(ranks).timeout(timeout).name(name);
        LocalGroupOptions tuned = tuning.map(common::tuning).orElse(common);
        LocalGroupOptions placed = ranksPerNode(ranks).map(tuned::ranksPerNode).orElse(tuned);
        return new ThreadRanks(placed.backend(requireRoom(ranks)));
    }

    private Ranks process(CommunicatorOptions launched, int ranks, String name, Optional<Path> tuning) {
        if (launched.size() != ranks) {
            throw Usage.wrong(
                    spec,
                    "the launcher started " + launched.size() + " processes, but there are " + ranks + " ranks; start "
                            + ranks);
        }
        CommunicatorOptions common = launched.timeout(timeout).name(name);
        CommunicatorOptions tuned = tuning.map(common::tuning).orElse(common);
        CommunicatorOptions placed =
                ranksPerNode(ranks).map(tuned::ranksPerNode).orElse(tuned);
        return new LaunchedRank(placed.backend(requireRoom(ranks)));
    }

    /**
     * Returns the number of ranks on each node, if it is known before the ranks start; empty under a launcher without
     * {@code --ranks-per-node}.
     *
     * @throws ParameterException if it does not divide the number of ranks
     */
    public Optional<Integer> knownRanksPerNode(int ranks) {
        return ranksPerNode(ranks).or(() -> environment().isPresent() ? Optional.empty() : Optional.of(ranks));
    }

    private Optional<Integer> ranksPerNode(int ranks) {
        return Usage.checked(spec, () -> nodes.ranksPerNode(ranks));
    }

    private Optional<CommunicatorOptions> environment() {
        return Usage.checked(spec, () -> CommunicatorOptions.detect(System.getenv()));
    }

    /**
     * Returns the name of the backend to use.
     *
     * @throws ParameterException if it is not available
     */
    public String backendName() {
        boolean processes = procs || environment().isPresent();
        return Usage.checked(
                spec,
                () -> backend.name(
                        Set.of(processes ? Feature.RANKS_AS_PROCESSES : Feature.RANKS_AS_THREADS),
                        processes ? EXCHANGED : Set.of()));
    }

    /** Returns the backend's name, if it supports this number of ranks. */
    private String requireRoom(int ranks) {
        String name = backendName();
        int most = InstalledBackend.find(Optional.of(name)).capabilities().maxRanks();
        if (ranks > most) {
            throw Usage.wrong(spec, "there are " + ranks + " ranks; allowed: 1 to " + most + " on backend " + name);
        }
        return name;
    }

    /** Whether rank 0 runs in this process. */
    public boolean includesFirst() {
        return environment().map(own -> own.rank() == 0).orElse(true);
    }

    /** Returns the stream for notes before ranks start; it discards notes of ranks other than 0. */
    public PrintWriter forFirst(PrintWriter writer) {
        return includesFirst() ? writer : new PrintWriter(Writer.nullWriter());
    }

    /** Returns the stream for a rank's notes; it discards those of ranks other than 0. */
    public static PrintWriter forFirst(Ranks ranks, PrintWriter writer) {
        return ranks.includesFirst() ? writer : new PrintWriter(Writer.nullWriter());
    }
}
