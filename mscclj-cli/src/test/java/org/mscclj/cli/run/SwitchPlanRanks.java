package org.mscclj.cli.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.LaunchFindings;
import org.mscclj.cli.emulation.StandInDriver;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.ranks.LaunchedRank;
import org.mscclj.cli.ranks.RankSession;
import org.mscclj.cli.ranks.RankSettings;
import org.mscclj.cli.ranks.ThreadRanks;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/**
 * Ranks on emulated GPUs that run plans with switch channels. Arguments: the number of ranks that are threads, or 0 if
 * this process is one rank; {@code all} for more types, formats and sizes, or {@code some}; the seed; then files of
 * plans, and names of shipped programs. Each rank prints for each plan, type and format how many launches were right,
 * and how many multicast accesses its GPU has made.
 */
public final class SwitchPlanRanks {
    private static final Duration TIMEOUT = Duration.ofSeconds(120);

    /** A switch sums the first four. */
    private static final List<DataType> TYPES =
            List.of(DataType.FLOAT16, DataType.INT32, DataType.BFLOAT16, DataType.FLOAT32, DataType.UINT8);

    private final RankSession session;
    private final boolean all;
    private final long seed;

    private SwitchPlanRanks(RankSession session, boolean all, long seed) {
        this.session = session;
        this.all = all;
        this.seed = seed;
    }

    public static void main(String[] arguments) {
        int threads = Integer.parseInt(arguments[0]);
        boolean all = arguments[1].equals("all");
        long seed = Long.parseLong(arguments[2]);
        List<String> plans = Arrays.asList(arguments).subList(3, arguments.length);
        RankSettings settings = RankSettings.of(TIMEOUT);
        if (threads == 0) {
            new LaunchedRank(CommunicatorOptions.fromEnvironment()
                            .backend("cuda")
                            .timeout(TIMEOUT))
                    .run(settings, session -> new SwitchPlanRanks(session, all, seed).run(plans));
        } else {
            new ThreadRanks(LocalGroupOptions.ranks(threads).backend("cuda").timeout(TIMEOUT))
                    .run(settings, session -> new SwitchPlanRanks(session, all, seed).run(plans));
        }
        System.out.println(StandInDriver.left());
    }

    private void run(List<String> plans) {
        for (String plan : plans) {
            run(plan);
        }
    }

    private void run(String name) {
        Plan plan = name.endsWith(".json")
                ? PlanReader.read(Path.of(name))
                : ShippedProgram.valueOf(name).plan(ProgramSpec.of(Collective.ALLREDUCE, session.ranks()));
        List<PacketType> formats = plan.usesPackets() && all ? List.of(PacketType.values()) : List.of(PacketType.LL8);
        ReduceOp op = DefaultReduceOp.of(plan);
        int gpu = session.communicator().device().index();
        for (DataType type : all ? TYPES : TYPES.subList(0, 1)) {
            long[] counts = PlanCounts.of(plan, PlanShape.of(plan, 1, type, op));
            for (PacketType format : formats) {
                long before = StandInDriver.accesses(gpu);
                int right = 0;
                for (int size = all ? 0 : 2; size < (all ? counts.length : 3); size++) {
                    right += launches(plan, PlanShape.of(plan, counts[size], type, op), format);
                }
                System.out.println("right: " + name + " " + type + " " + format + ", rank " + session.rank() + ": "
                        + right + " launches, " + (StandInDriver.accesses(gpu) - before) + " accesses");
            }
        }
    }

    private int launches(Plan plan, CheckedCall shape, PacketType format) {
        try (MeasuredCall call = MeasuredCall.prepare(session, shape, PlanPart.operation(plan, shape, format))) {
            for (int launch = 0; launch < 2; launch++) {
                LaunchFindings verdict = call.check(seed + launch);
                if (!verdict.isRight()) {
                    throw new IllegalStateException(plan.name() + ", " + shape.count() + " of " + shape.type() + ", "
                            + format + ", launch " + launch + ": " + verdict.sentences());
                }
            }
        }
        return 2;
    }
}
