package org.mscclj.cli.perf;

import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.measure.MeasuredCollective;
import org.mscclj.cli.measure.SamplingOptions;
import org.mscclj.cli.measure.SizeRange;
import org.mscclj.cli.measure.SizeRangeOptions;
import org.mscclj.cli.options.AlgorithmName;
import org.mscclj.cli.options.ElementOptions;
import org.mscclj.cli.options.JsonOption;
import org.mscclj.cli.options.ProgramUse;
import org.mscclj.cli.options.SeedOption;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.perf.peer.InstalledPeers;
import org.mscclj.cli.perf.peer.Peer;
import org.mscclj.cli.ranks.GroupOptions;
import org.mscclj.cli.ranks.Ranks;
import org.mscclj.cli.report.TextTarget;
import org.mscclj.language.program.MappedPeers;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code mscclj perf}: reads its options, and checks what can be checked without ranks. */
@Command(
        name = "perf",
        sortOptions = false,
        header = "Measure a collective over a range of sizes, and check its results.",
        description = {
            "",
            "Columns and bandwidths are those of nccl-tests: size is the output's for allgather and the input's"
                    + " otherwise;"
                    + " algbw is size over time; busbw is algbw times 2(n-1)/n for allreduce, (n-1)/n for allgather,"
                    + " reducescatter, alltoall and scatter, n-1 for gather (its size is one rank's part), 1"
                    + " for broadcast and reduce.",
            ""
        },
        footer = {
            "",
            "Each rank's own thread launches a prepared operation on registered buffers, one launch after the other,"
                    + " or, with --method graph, as a graph of many launches; a sample is some milliseconds of launches"
                    + " or of replays without a pause. Samples of the peers are taken likewise, in turns. time is that"
                    + " of a launch: the median of the samples, the slowest rank's; spread is the span of the middle"
                    + " half of the samples. The clock of a GPU times replays. The data are zeros then. Results are"
                    + " compared with the definition of the collective before and after.",
            "",
            "Exit codes: 0 all right; 1 wrong result, time-out or failure; 2 bad usage, or the peer is not installed."
        })
public final class PerfCommand implements Callable<Integer> {
    private static final String NAMES =
            "allreduce, allgather, reducescatter, broadcast, alltoall, reduce, scatter or gather";

    private static final int MAX_DEFAULT_RANKS = 8;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "COLLECTIVE", description = NAMES + ".", converter = MeasuredCollective.class)
    @SuppressWarnings("NullAway.Init") // required
    private Collective collective;

    @Mixin
    private SizeRangeOptions sizes = new SizeRangeOptions();

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "Number of ranks. Default: the number of cores, from 2 to " + MAX_DEFAULT_RANKS
                    + "; under a launcher, the number that it has started.")
    private Optional<Integer> ranks = Optional.empty();

    @Mixin
    private GroupOptions group = new GroupOptions();

    @Mixin
    private ElementOptions elements = new ElementOptions();

    @Option(
            names = "--root",
            paramLabel = "RANK",
            description = "Root of broadcast, scatter, reduce and gather. Default: 0.")
    private Optional<Integer> root = Optional.empty();

    @Option(
            names = {"--in-place", "--in_place"},
            negatable = true,
            description = "Measure in place only; --no-in-place: out of place only. Default: both.")
    private Optional<Boolean> inPlace = Optional.empty();

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            description =
                    "The algorithm to use: a shipped program, for example ring, as mscclj plan list names them, or"
                            + " a native algorithm, as mscclj explain does; with a number of blocks as ring@8. Default: the"
                            + " communicator's choice, which --json and --html contain.")
    private Optional<AlgorithmName> algorithm = Optional.empty();

    @Mixin
    private SamplingOptions sampling = new SamplingOptions();

    @Option(
            names = "--check",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Compare results with the definition of the collective. Default: yes.")
    private boolean check = true;

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also write a report with plots, as one self-contained file.")
    private Optional<TextTarget> html = Optional.empty();

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            split = ",",
            description = "Also time another library's collective, alternating in the same run; ratio is how many times"
                    + " as fast as it we are. Several peers: give the option several times, or their names with commas"
                    + " between. " + InstalledPeers.NAMES
                    + ": NCCL in the same processes, on its own registered memory or on symmetric"
                    + " windows; MPI in processes of its own.")
    private List<String> peers = List.of();

    /** Called by picocli. */
    public PerfCommand() {}

    @Override
    public Integer call() {
        String backend = group.backendName();
        PerfSettings settings = Usage.checked(spec, () -> settings(backend));
        PrintWriter notes = spec.commandLine().getErr();
        List<Peer> others = Usage.checked(spec, () -> peers(settings, notes));
        try {
            if (group.mustLaunch()) {
                return group.launch(settings.ranks());
            }
            Ranks where = group.ranks(settings.ranks(), "perf");
            return measure(where, settings, backend, others) ? 0 : 1;
        } finally {
            others.forEach(Peer::close);
        }
    }

    private boolean measure(Ranks where, PerfSettings settings, String backend, List<Peer> others) {
        PrintWriter out = GroupOptions.forFirst(where, spec.commandLine().getOut());
        PrintWriter notes = GroupOptions.forFirst(where, spec.commandLine().getErr());
        PerfReport report = new PerfReport(
                json.table(out, notes),
                notes,
                backend,
                others.stream().map(PeerHeader::of).toList());
        try {
            where.run(group.settings(), new PerfPart(settings, others, report));
            report.end();
        } catch (MsccljException e) {
            report.failed(e);
            throw e;
        } finally {
            report.results().ifPresent(results -> write(results, out));
        }
        return report.isRight();
    }

    private void write(PerfResults results, PrintWriter out) {
        json.write(() -> Optional.of(PerfJson.of(results)), out);
        html.ifPresent(target -> target.write("--html", PerfHtml.of(results), out));
    }

    private PerfSettings settings(String backend) {
        int size = size();
        SizeRange range = sizes.range();
        PerfSettings settings = new PerfSettings(
                collective,
                size,
                range.counts(collective, size, elements.type()),
                elements.type(),
                op(),
                root(size),
                algorithm.map(AlgorithmName::name),
                inPlace.map(only -> List.of(only ? BufferPlacement.IN_PLACE : BufferPlacement.OUT_OF_PLACE))
                        .orElseGet(() -> List.of(BufferPlacement.values())),
                sampling.sampling(backend),
                check,
                seed.seed());
        algorithm.flatMap(AlgorithmName::program).ifPresent(program -> requireUsable(program, settings));
        algorithm.ifPresent(this::requireCollective);
        return settings;
    }

    private int size() {
        int launched = group.launchedRanks().orElse(0);
        int chosen = ranks.orElseGet(() ->
                launched > 0 ? launched : Math.clamp(Runtime.getRuntime().availableProcessors(), 2, MAX_DEFAULT_RANKS));
        return within("--ranks", chosen, 1, Integer.MAX_VALUE);
    }

    private ReduceOp op() {
        if (!collective.reduces()) {
            elements.op().ifPresent(given -> {
                throw new InvalidArgumentException(
                        "--op is " + given + ", but " + collective + " reduces nothing; leave --op out");
            });
            return ReduceOp.NOP;
        }
        return elements.checked(elements.op().orElse(ReduceOp.SUM));
    }

    private int root(int size) {
        if (root.isPresent() && !collective.hasRoot()) {
            throw new InvalidArgumentException(
                    "--root is " + root.get() + ", but " + collective + " has no root; leave --root out");
        }
        return within("--root", root.orElse(0), 0, size - 1);
    }

    private void requireCollective(AlgorithmName named) {
        named.computes().filter(other -> other != collective).ifPresent(other -> {
            throw InvalidArgumentException.of(
                    "--algorithm", named.name() + ", which computes " + other, "one that computes " + collective);
        });
    }

    private void requireUsable(ShippedProgram program, PerfSettings settings) {
        int size = settings.ranks();
        for (BufferPlacement placement : settings.placements()) {
            ProgramSpec used = ProgramSpec.of(collective, size)
                    .ranksPerNode(group.knownRanksPerNode(size).orElse(size))
                    .root(settings.root())
                    .inPlace(placement == BufferPlacement.IN_PLACE);
            if (group.knownRanksPerNode(size).isPresent() || program.mappedPeers() != MappedPeers.SAME_NODE) {
                ProgramUse.refusal(program, used).ifPresent(reason -> {
                    throw new InvalidArgumentException("--algorithm is " + program.label() + ", and " + reason
                            + (inPlace.isEmpty() && placement == BufferPlacement.IN_PLACE
                                    ? "; --no-in-place measures out of place only"
                                    : ""));
                });
            }
        }
    }

    private List<Peer> peers(PerfSettings settings, PrintWriter notes) {
        CheckedCall example = settings.shape(1, settings.placements().getFirst());
        if (new HashSet<>(peers).size() < peers.size()) {
            throw InvalidArgumentException.of("--peer", String.join(",", peers), "each peer once");
        }
        return peers.stream()
                .map(name -> InstalledPeers.find(name, example, line -> {
                    notes.println(line);
                    notes.flush();
                }))
                .toList();
    }

    private static int within(String option, int number, int least, int most) {
        if (number < least || number > most) {
            throw InvalidArgumentException.of(
                    option, number, most == Integer.MAX_VALUE ? least + " or more" : least + " to " + most);
        }
        return number;
    }
}
