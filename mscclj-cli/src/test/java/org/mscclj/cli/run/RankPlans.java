package org.mscclj.cli.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.LaunchFindings;
import org.mscclj.cli.measure.MeasuredCall;
import org.mscclj.cli.ranks.LaunchedRank;
import org.mscclj.cli.ranks.RankSession;
import org.mscclj.cli.ranks.RankSettings;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/**
 * A rank in a child process, which runs many plans in sequence; rank 0 prints the result of each. Arguments: the seed,
 * and the files of the plans, equal on all ranks.
 */
public final class RankPlans {
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final List<DataType> TYPES = List.of(DataType.FLOAT32, DataType.FLOAT16);
    private static final int LAUNCHES = 3;

    private final RankSession session;
    private final long seed;

    private RankPlans(RankSession session, long seed) {
        this.session = session;
        this.seed = seed;
    }

    public static void main(String[] arguments) {
        long seed = Long.parseLong(arguments[0]);
        List<Path> files = Arrays.stream(arguments).skip(1).map(Path::of).toList();
        CommunicatorOptions options = CommunicatorOptions.fromEnvironment().timeout(TIMEOUT);
        new LaunchedRank(options).run(RankSettings.of(TIMEOUT), session -> {
            RankPlans plans = new RankPlans(session, seed);
            files.forEach(plans::run);
        });
    }

    private void run(Path file) {
        Plan plan = PlanReader.read(file);
        List<PacketType> packets = plan.usesPackets() ? List.of(PacketType.values()) : List.of(PacketType.LL16);
        ReduceOp op = DefaultReduceOp.of(plan);
        int launches = 0;
        for (DataType type : TYPES) {
            long[] counts = PlanCounts.of(plan, PlanShape.of(plan, 1, type, op));
            for (PacketType packet : packets) {
                for (int size = 1; size <= 2; size++) {
                    launches += launch(file, plan, PlanShape.of(plan, counts[size], type, op), packet);
                }
            }
        }
        say("done " + file + ": " + launches + " launches");
    }

    private int launch(Path file, Plan plan, CheckedCall shape, PacketType packet) {
        try (MeasuredCall call = MeasuredCall.prepare(session, shape, PlanPart.operation(plan, shape, packet))) {
            for (int launch = 0; launch < LAUNCHES; launch++) {
                LaunchFindings verdict = call.check(seed + launch);
                if (!verdict.isRight() && !PlanCounts.isRacy(file)) {
                    say("wrong " + file + " " + shape.count() + " " + shape.type() + " " + packet + ", launch " + launch
                            + ": " + verdict.sentences());
                }
            }
        }
        return LAUNCHES;
    }

    private void say(String line) {
        if (session.rank() == 0) {
            System.out.println(line);
            System.out.flush();
        }
    }
}
