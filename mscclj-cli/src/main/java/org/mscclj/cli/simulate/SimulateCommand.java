package org.mscclj.cli.simulate;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.mscclj.analysis.simulate.Prediction;
import org.mscclj.analysis.simulate.SimulationOptions;
import org.mscclj.analysis.simulate.Simulator;
import org.mscclj.analysis.simulate.calibrate.Calibration;
import org.mscclj.analysis.simulate.calibrate.Calibrator;
import org.mscclj.analysis.simulate.calibrate.MeasurementReader;
import org.mscclj.analysis.simulate.topology.Presets;
import org.mscclj.analysis.simulate.topology.Topology;
import org.mscclj.analysis.simulate.topology.TopologyWriter;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.cli.options.JsonOption;
import org.mscclj.cli.options.Quantities;
import org.mscclj.cli.options.TopologyOption;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.report.SimulationNotes;
import org.mscclj.cli.report.TextTarget;
import org.mscclj.plan.Plan;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.environment.ProgramSetting;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code mscclj simulate}: simulates a plan for each size. */
@Command(
        name = "simulate",
        sortOptions = false,
        header = "Predict the time of a plan, also on machines that are not available.",
        description = {
            "",
            "All ranks are simulated over a model of links, without data. Size and bandwidths are"
                    + " those of mscclj perf. For"
                    + " the last size the busiest links and the critical path follow.",
            ""
        },
        footer = {
            "",
            "Topologies: " + Presets.NAMES + ", or a file, whose format docs/simulator.md describes.",
            "",
            "Exit codes: 0 success; 1 the plan waits forever or does not fit the topology; 2 bad usage."
        })
public final class SimulateCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            paramLabel = "PLAN|PROGRAM|COLLECTIVE",
            description =
                    "An execution plan's file; or the name of a shipped algorithm, for example direct, which mscclj"
                            + " plan list shows; or a collective, for which the algorithm and its thread blocks are"
                            + " chosen by size, as communicators choose for registered buffers. The variables"
                            + " MSCCLJ_TUNING, MSCCLJ_SCRATCH_LIMIT and MSCCLJ_LL128 count as for these.")
    @SuppressWarnings("NullAway.Init") // required
    private String target;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "Ranks of an algorithm. Default: all of the topology, but at most 8 on each node.")
    private Optional<Integer> ranks = Optional.empty();

    @Option(
            names = "--size",
            paramLabel = "SIZE[,SIZE...]",
            description = "Message sizes in bytes, with K, M or G. Default: of"
                    + " 1K,64K,1M,16M,256M those that"
                    + " the plan accepts.")
    private Optional<String> size = Optional.empty();

    @Option(
            names = "--collective",
            paramLabel = "NAME",
            description = "Collective of an algorithm. Default: allreduce.")
    private Optional<Collective> collective = Optional.empty();

    @Option(
            names = {"--in-place", "--in_place"},
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether input and output of an algorithm share memory. Default: yes.")
    private boolean inPlace = true;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "Thread blocks of each rank of an algorithm. Default: the choice of a"
                    + " communicator on such a machine.")
    private Optional<Integer> blocks = Optional.empty();

    @Option(
            names = "--scratch-limit",
            paramLabel = "SIZE",
            description =
                    "Maximum scratch of a rank; larger messages take several rounds. Default: that of the engines, 64M for"
                            + " plans; for algorithms 4M on the CPU and 16M on GPUs.")
    private Optional<String> scratchLimit = Optional.empty();

    @Option(
            names = "--calibrate",
            paramLabel = "FILE",
            description = "First fit the topology to measurements of mscclj perf --json.")
    private Optional<Path> calibrate = Optional.empty();

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description = "Write the topology, after calibration if there is one, as a file for --topology.")
    private Optional<TextTarget> write = Optional.empty();

    @Mixin
    private TopologyOption topology = new TopologyOption();

    @Mixin
    private JsonOption json = new JsonOption();

    /** Called by picocli. */
    public SimulateCommand() {}

    @Override
    public Integer call() {
        Topology given = Usage.checked(spec, topology::machine);
        SimulationTarget simulated = Usage.checked(
                spec,
                () -> SimulationTarget.of(
                        target,
                        new ProgramCall(
                                requiredCollective(),
                                ranks.orElseGet(() -> usualRanks(given)),
                                given.ranksPerNode(),
                                inPlace,
                                programBlocks(),
                                setting(given))));
        Usage.checked(spec, () -> simulated.requireRanks(ranks, given));
        List<Long> sizes = Usage.checked(spec, () -> size.map(simulated::sizes).orElseGet(simulated::usualSizes));
        Usage.checked(spec, () -> calibrate.map(SimulateCommand::requireFile));
        PrintWriter standard = spec.commandLine().getOut();
        PrintWriter out = json.table(standard, spec.commandLine().getErr());
        SimulationOptions options = Usage.checked(spec, () -> options(simulated.scratchLimit()));
        Optional<Calibration> calibration = calibrate.map(file -> calibrated(given, file, out));
        Topology used = calibration.map(Calibration::topology).orElse(given);
        write.ifPresent(to -> to.write("--write", TopologyWriter.write(used), out));
        SimulateTable table = new SimulateTable(out);
        table.header(simulated.plan(sizes.getFirst()), used);
        List<SimulatedSize> results = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            SimulatedSize result =
                    simulate(simulated, used, sizes.get(i), i == sizes.size() - 1 ? options : options.withoutSpans());
            results.add(result);
            table.row(result);
        }
        table.details(results.getLast());
        json.write(() -> Optional.of(SimulateJson.of(used, results, calibration)), standard);
        return 0;
    }

    private ProgramPreference setting(Topology given) {
        ProgramSetting setting = ProgramSetting.of(
                System.getenv(), given.programPreference(), given.isOfGpus(), ranks.orElseGet(() -> usualRanks(given)));
        SimulationTarget.collective(target)
                .ifPresent(chosen -> setting.nativeChoices().stream()
                        .filter(line -> line.startsWith(chosen + ", registered"))
                        .forEach(spec.commandLine().getErr()::println));
        return setting.preference();
    }

    private SimulatedSize simulate(SimulationTarget target, Topology topology, long bytes, SimulationOptions options) {
        Plan plan = target.plan(bytes);
        Prediction prediction = Simulator.simulate(
                plan,
                topology,
                target.sliceBytes(bytes),
                options,
                new SimulationNotes(spec.commandLine().getErr()));
        return new SimulatedSize(plan, bytes, prediction);
    }

    private Calibration calibrated(Topology given, Path file, PrintWriter out) {
        // The measurements used the scratch that communicators allocate for shipped algorithms.
        SimulationOptions options = SimulationOptions.DEFAULT.withScratchLimit(
                given.programPreference().scratchLimit());
        CalibrationSamples samples =
                CalibrationSamples.of(MeasurementReader.read(file), given, programBlocks(), options);
        Calibration calibration = Calibrator.fit(given, samples.requireSome(file.toString()), options);
        new CalibrationTable(out).print(calibration, samples);
        return calibration;
    }

    private static Path requireFile(Path file) {
        if (!Files.exists(file)) {
            throw new InvalidArgumentException("--calibrate is " + file
                    + ", which does not exist; name a file that mscclj perf --json has written");
        }
        return file;
    }

    /** Returns the collective that is named, as the subject or as the collective of an algorithm. */
    private Collective requiredCollective() {
        Optional<Collective> named = SimulationTarget.collective(target);
        if (named.isPresent() && collective.isPresent() && !named.equals(collective)) {
            throw InvalidArgumentException.of(
                    "--collective", collective.get(), "none beside the collective " + named.get());
        }
        return named.or(() -> collective).orElse(Collective.ALLREDUCE);
    }

    private OptionalInt programBlocks() {
        return blocks.map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }

    private SimulationOptions options(long usualScratch) {
        return SimulationOptions.DEFAULT.withScratchLimit(scratchLimit
                .map(text -> Quantities.bytes("--scratch-limit", text))
                .orElse(usualScratch));
    }

    private static int usualRanks(Topology topology) {
        final int most = 8;
        return topology.nodes() * Math.min(most, topology.ranksPerNode());
    }
}
