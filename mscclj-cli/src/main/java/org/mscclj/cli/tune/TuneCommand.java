package org.mscclj.cli.tune;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.type.DataType;
import org.mscclj.cli.measure.MeasuredCollective;
import org.mscclj.cli.measure.SamplingOptions;
import org.mscclj.cli.measure.SizeRangeOptions;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.perf.peer.InstalledPeers;
import org.mscclj.cli.perf.peer.Peer;
import org.mscclj.cli.ranks.GroupOptions;
import org.mscclj.cli.ranks.Ranks;
import org.mscclj.cli.report.TextTarget;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code mscclj tune}: reads its options, and checks what can be checked without ranks. */
@Command(
        name = "tune",
        sortOptions = false,
        header = "Measure which program is fastest for which size, and add it to a tuning file.",
        description = {
            "",
            "Shipped programs serve each size with several numbers of thread blocks and, on GPUs, of threads. A program"
                    + " that is far behind is not tried further. The fastest candidates are checked and measured"
                    + " again, in turns. The result is a list of sizes from which another program, or another number of blocks,"
                    + " is better by 2 per cent.",
            ""
        },
        footer = {
            "",
            "Communicators of the same backend, device, number of ranks and topology follow the file if"
                    + " CommunicatorOptions.tuning or MSCCLJ_TUNING names it on all ranks. Calls that it does not"
                    + " mention are served as without it. A call chooses for itself by algorithm packets@8, for"
                    + " example: the program packets with eight blocks. A program whose result is wrong is left out,"
                    + " and the output says so.",
            "",
            "Exit codes: 0 the choices are written; 1 time-out or failure; 2 bad usage."
        })
public final class TuneCommand implements Callable<Integer> {
    private static final List<String> USUAL =
            List.of("allreduce", "allgather", "reducescatter", "broadcast", "alltoall");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            paramLabel = "COLLECTIVE",
            arity = "0..*",
            description = "The collectives, as for mscclj perf. Default: allreduce, allgather, reducescatter, broadcast"
                    + " and alltoall.")
    private List<String> collectives = USUAL;

    @Mixin
    private SizeRangeOptions sizes = new SizeRangeOptions();

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "Number of ranks. Default: 2; under a launcher, the number that it has started.")
    private Optional<Integer> ranks = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "KIND",
            split = ",",
            description = "registered: buffers of Communicator.allocate; plain: other memory of the device. Default:"
                    + " both.")
    private List<TunedMemory> memories = Arrays.asList(TunedMemory.values());

    @Option(names = "--dtype", paramLabel = "TYPE", description = "Element type. Default: ${DEFAULT-VALUE}.")
    private DataType type = DataType.FLOAT16;

    @Option(
            names = "--in-place",
            negatable = true,
            description =
                    "Measure in place, as most programs reduce; --no-in-place: out of place. An alltoall is out of"
                            + " place always. The choices serve both. Default: in place.")
    private Optional<Boolean> inPlace = Optional.empty();

    @Mixin
    private GroupOptions group = new GroupOptions();

    @Mixin
    private SamplingOptions sampling = new SamplingOptions();

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Add the choices to this tuning file, in JSON, in place of those for the same collectives and"
                    + " memory, ranks, device, driver and version of mscclj. Other choices stay.")
    private Optional<Path> output = Optional.empty();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also write a report: the times of all candidates, and of the best ones beside the"
                    + " communicator's choice, as one self-contained file.")
    private Optional<TextTarget> html = Optional.empty();

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            split = ",",
            description = "Also measure another library, for the report: " + InstalledPeers.NAMES + ".")
    private List<String> peers = List.of();

    /** Called by picocli. */
    public TuneCommand() {}

    @Override
    public Integer call() {
        String backend = group.backendName();
        Usage.checked(spec, () -> output.map(TuneCommand::requireTuningFile));
        TuneSettings settings = Usage.checked(spec, () -> settings(backend));
        if (group.mustLaunch()) {
            return group.launch(settings.ranks());
        }
        Ranks where = group.untunedRanks(settings.ranks(), "tune");
        List<Peer> others = Usage.checked(spec, () -> peers(settings));
        try {
            measure(where, settings, backend, others);
        } finally {
            others.forEach(Peer::close);
        }
        return 0;
    }

    private void measure(Ranks where, TuneSettings settings, String backend, List<Peer> others) {
        PrintWriter out = GroupOptions.forFirst(where, spec.commandLine().getOut());
        TuneReport report = new TuneReport(
                List.of("mscclj tune, " + settings.ranks() + " ranks, backend " + backend + ", " + settings.type()
                        + (settings.inPlace() ? ", in place, " : ", out of place, ") + LocalDate.now(ZoneOffset.UTC)),
                others.stream().map(Peer::name).toList(),
                settings.sizeCount(),
                out,
                GroupOptions.forFirst(where, spec.commandLine().getErr()));
        where.run(group.settings(), new TunePart(settings, others, report));
        if (group.includesFirst()) {
            output.ifPresent(file -> report.entry()
                    .ifPresent(entry -> KeptChoices.with(entry, file).save(file)));
            html.ifPresent(target -> target.write("--html", report.html(), out));
        }
    }

    private List<Peer> peers(TuneSettings settings) {
        PrintWriter notes = group.forFirst(spec.commandLine().getErr());
        return peers.stream()
                .distinct()
                .map(name -> InstalledPeers.find(
                        name, settings.calls(settings.collectives().getFirst()).getFirst(), line -> {
                            notes.println(line);
                            notes.flush();
                        }))
                .toList();
    }

    /** Refuses now what would be refused after the measurement. */
    private static Path requireTuningFile(Path file) {
        if (TextTarget.parse(file.toString()).isStandardOutput()) {
            throw InvalidArgumentException.of("--output", file, "the name of a file, to which choices are added");
        }
        if (Files.exists(file)) {
            List<TuningEntry> _ = TuningEntry.load(file);
        }
        return file;
    }

    private TuneSettings settings(String backend) {
        int size = ranks.orElseGet(() -> group.launchedRanks().orElse(2));
        if (size < 2) {
            throw InvalidArgumentException.of("--ranks", size, "2 or more");
        }
        group.knownRanksPerNode(size).ifPresent(perNode -> TuneSettings.requireOneNode(size, perNode));
        return new TuneSettings(
                collectives.stream().map(MeasuredCollective::parse).toList(),
                memories,
                size,
                sizes.range(),
                type,
                inPlace.orElse(true),
                sampling.sampling(backend));
    }
}
