package org.mscclj.cli.run;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.options.ElementOptions;
import org.mscclj.cli.options.JsonOption;
import org.mscclj.cli.options.SeedOption;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.ranks.GroupOptions;
import org.mscclj.cli.ranks.Ranks;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.validation.FixedReduceOp;
import org.mscclj.plan.validation.RelaxedSignals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads the command line of {@code mscclj run}, and checks all of it that needs no ranks. */
@Command(
        name = "run",
        sortOptions = false,
        header = "Run a plan, check its result, and measure it.",
        description = {
            "",
            "Ranks and placement come from the plan. Inputs are random; the result is compared with the definition of the"
                    + " collective. The exit code is 0 only if everything was right.",
            ""
        },
        footer = {
            "",
            "time is the mean of a launch on the slowest rank, launches following one another without a pause, after"
                    + " launches that warm up; the data are zeros then, so that nothing overflows. algbw is size"
                    + " over time, busbw is algbw times the factor of nccl-tests for the collective.",
            "",
            "Exit codes: 0 all right; 1 wrong result, time-out or bad plan; 2 bad usage."
        })
public final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "PLAN.json", description = "The execution plan.")
    @SuppressWarnings("NullAway.Init") // required
    private Path file;

    @Option(
            names = "--size",
            paramLabel = "SIZE[,…]",
            description =
                    "Message sizes in bytes, with K, M or G: the output's for allgather, the input's otherwise. Default: 1M,"
                            + " or what the plan accepts that comes closest.")
    private Optional<String> sizes = Optional.empty();

    @Option(names = "--count", paramLabel = "N[,…]", description = "Instead of --size: elements of one slice.")
    private Optional<String> counts = Optional.empty();

    @Mixin
    private ElementOptions elements = new ElementOptions();

    @Option(names = "--packet", paramLabel = "LL8|LL16", description = "Format of packets. Default: ${DEFAULT-VALUE}.")
    private PacketType packetType = PacketType.LL16;

    @Mixin
    private GroupOptions group = new GroupOptions();

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "Timed launches of each size; 0 only checks. Default: 20, fewer for more than 1M.")
    private Optional<Integer> iterations = Optional.empty();

    @Option(
            names = "--strict",
            description =
                    "Refuse a plan that signals relaxed where a release is needed; without this such signals are raised to"
                            + " releases.")
    private boolean strict;

    @Mixin
    private SeedOption seed = new SeedOption();

    @Mixin
    private JsonOption json = new JsonOption();

    /** For picocli. */
    public RunCommand() {}

    @Override
    public Integer call() {
        if (!Files.exists(file)) {
            throw Usage.wrong(
                    spec, file + ": there is no such file; name an execution plan, for example one of examples/plans");
        }
        Plan plan = PlanReader.read(file);
        if (strict && !isStrictlyOrdered(plan)) {
            return 1;
        }
        RunSettings settings = Usage.checked(spec, () -> settings(plan));
        if (group.mustLaunch()) {
            return group.launch(plan.worldSize());
        }
        Ranks ranks = group.ranks(plan.worldSize(), "run");
        PrintWriter out = GroupOptions.forFirst(ranks, spec.commandLine().getOut());
        PrintWriter notes = GroupOptions.forFirst(ranks, err());
        RunReport report = new RunReport(json.table(out, notes), notes);
        try {
            ranks.run(group.settings(), new PlanPart(settings, report));
        } catch (MsccljException e) {
            report.failed(e);
            throw e;
        } finally {
            json.write(report::json, out);
        }
        return report.isRight() ? 0 : 1;
    }

    private RunSettings settings(Plan plan) {
        List<MessageSizes.Size> chosen = sizes(new MessageSizes(plan, elements.type()));
        chosen.forEach(size -> size.note().ifPresent(note -> err().println("note: " + note)));
        ReduceOp reduceOp = op(plan);
        return new RunSettings(
                plan,
                packetType,
                chosen.stream()
                        .map(size -> PlanShape.of(plan, size.count(), elements.type(), reduceOp))
                        .toList(),
                group.backendName(),
                iterations(),
                seed.seed());
    }

    private List<MessageSizes.Size> sizes(MessageSizes given) {
        if (sizes.isPresent() && counts.isPresent()) {
            throw Usage.wrong(spec, "--size and --count are both given; give only one of them");
        }
        return sizes.map(given::ofSizes)
                .or(() -> counts.map(given::ofCounts))
                .orElseGet(() -> List.of(given.ofDefault()));
    }

    private ReduceOp op(Plan plan) {
        Optional<ReduceOp> given = elements.op();
        ReduceOp chosen = given.orElseGet(() -> DefaultReduceOp.of(plan));
        if (given.isPresent() && !plan.collective().reduces()) {
            throw Usage.wrong(
                    spec,
                    "--op is " + chosen + ", but plan " + plan.name() + " is an " + plan.collective()
                            + ", which reduces nothing; leave --op out");
        }
        elements.checked(chosen);
        FixedReduceOp.conflicting(plan, chosen).ifPresent(kind -> {
            throw Usage.wrong(
                    spec,
                    "--op is " + chosen + ", but plan " + plan.name() + " fixes " + kind.label() + "; leave --op out");
        });
        return chosen;
    }

    private Optional<Integer> iterations() {
        if (iterations.isPresent() && iterations.get() < 0) {
            throw Usage.wrong(spec, "--iterations is " + iterations.get() + "; allowed: 0 or more");
        }
        return iterations;
    }

    private boolean isStrictlyOrdered(Plan plan) {
        List<OperationAddress> findings = RelaxedSignals.needingRelease(plan);
        findings.forEach(address -> err().println("mscclj: plan " + plan.name() + ", " + address
                + ": signals relaxed, but earlier stores to a peer need a release; use signal instead of rlxsignal"));
        return findings.isEmpty();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
