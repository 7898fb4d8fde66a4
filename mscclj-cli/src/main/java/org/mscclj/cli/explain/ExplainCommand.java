package org.mscclj.cli.explain;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Sources;
import org.mscclj.cli.measure.MeasuredCollective;
import org.mscclj.cli.measure.SizeRange;
import org.mscclj.cli.options.ElementOptions;
import org.mscclj.cli.options.PlanFiles;
import org.mscclj.cli.options.Quantities;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.ranks.GroupOptions;
import org.mscclj.cli.ranks.Ranks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code mscclj explain}: reads its options, and checks what can be checked without ranks. */
@Command(
        name = "explain",
        sortOptions = false,
        header = "Say which algorithm serves a call, and why each other one does not.",
        description = {
            "",
            "Opens a communicator as an application would, registers the given plans, and prints every candidate in the"
                    + " order in which the communicator considers them. Launches nothing.",
            ""
        },
        footer = {
            "",
            "An application gets the same by Communicator.explain. With the level DEBUG of the logger of the runtime,"
                    + " communicators log it for each class of calls that they set up.",
            "",
            "Exit codes: 0 an algorithm serves the call; 1 none does, or a failure; 2 bad usage."
        })
public final class ExplainCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            paramLabel = "COLLECTIVE",
            converter = MeasuredCollective.class,
            description = "allreduce, allgather, reducescatter, broadcast, alltoall, reduce, scatter or gather.")
    @SuppressWarnings("NullAway.Init") // required
    private Collective collective;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            description = "Message size in bytes, with K, M or G: the output's for allgather, the input's otherwise."
                    + " Default: 1M.")
    private String size = "1M";

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "Number of ranks. Default: 2; under a launcher, the number that it has started.")
    private Optional<Integer> ranks = Optional.empty();

    @Mixin
    private ElementOptions elements = new ElementOptions();

    @Option(
            names = "--root",
            paramLabel = "RANK",
            description = "Root of broadcast, reduce, scatter and gather." + " Default: 0.")
    private int root;

    @Option(
            names = {"--in-place", "--in_place"},
            description = "Explain the call in place. Default: out of place.")
    private boolean inPlace;

    @Option(
            names = "--plain",
            description = "Explain the call on memory of the device. Default: on memory of Communicator.allocate.")
    private boolean plain;

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            description =
                    "The algorithm that the call names: a shipped program, a plan, a native algorithm or a fallback.")
    private Optional<String> algorithm = Optional.empty();

    @Option(
            names = "--plan",
            paramLabel = "PLAN.json",
            description = "Register a plan, or those of a folder. May be given several times.")
    private List<Path> plans = List.of();

    @Mixin
    private GroupOptions group = new GroupOptions();

    /** Called by picocli. */
    public ExplainCommand() {}

    @Override
    public Integer call() {
        int number = ranks.orElseGet(() -> group.launchedRanks().orElse(2));
        ExplainedCall explained = Usage.checked(spec, () -> explained(number));
        List<ExecutionPlan> registered = Usage.checked(
                spec,
                () -> plans.isEmpty()
                        ? List.<ExecutionPlan>of()
                        : PlanFiles.of(plans).stream().map(ExecutionPlan::load).toList());
        if (group.mustLaunch()) {
            return group.launch(number);
        }
        Ranks where = group.ranks(number, "explain");
        PrintWriter out = GroupOptions.forFirst(where, spec.commandLine().getOut());
        ExplainPart part = new ExplainPart(explained, registered, out);
        where.run(group.settings(), part);
        return part.isServed() ? 0 : FAILED;
    }

    private ExplainedCall explained(int number) {
        if (root < 0 || root >= number || (root > 0 && !collective.hasRoot())) {
            throw InvalidArgumentException.of(
                    "--root", root, collective.hasRoot() ? "0 to " + (number - 1) : "0: " + collective + " has none");
        }
        long bytes = Quantities.bytes("--size", size);
        long count = new SizeRange(bytes, bytes, 2)
                .counts(collective, number, elements.type())
                .getFirst();
        ReduceOp op = collective.reduces() ? elements.checked(elements.op().orElse(ReduceOp.SUM)) : ReduceOp.NOP;
        return new ExplainedCall(
                new CheckedCall(collective, number, inPlace, count, elements.type(), op, Sources.root(root)),
                root,
                algorithm,
                plain);
    }
}
