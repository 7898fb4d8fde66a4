package org.mscclj.cli.emulation;

import java.time.Duration;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/**
 * Ranks on emulated GPUs that run a plan with switch channels. First argument: {@code group} for ranks that are threads;
 * {@code process} if this process is one of the ranks. Second argument: the number of ranks. Prints {@code right}, or
 * fails.
 */
public final class SwitchRanks {
    private static final int COUNT = 5_000;
    private static final int LAUNCHES = 3;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private SwitchRanks() {}

    public static void main(String[] arguments) {
        int ranks = Integer.parseInt(arguments[1]);
        if (arguments[0].equals("group")) {
            try (LocalGroup group =
                    LocalGroup.open(LocalGroupOptions.ranks(ranks).backend("cuda"))) {
                group.run(SwitchRanks::run);
            }
        } else {
            try (Communicator communicator = Communicator.open(
                    CommunicatorOptions.fromEnvironment().backend("cuda").timeout(LIMIT))) {
                run(communicator);
            }
        }
        System.out.println("right");
    }

    private static void run(Communicator communicator) {
        int rank = communicator.rank();
        int ranks = communicator.size();
        Plan plan = ShippedProgram.MULTICAST.plan(
                ProgramSpec.of(Collective.ALLREDUCE, ranks).inPlace(true));
        try (DeviceBuffer buffer = IntBuffers.of(communicator.device(), COUNT, _ -> -1);
                PreparedOperation sum =
                        communicator.prepare(PlanCall.of(plan, buffer, buffer, DataType.INT32))) {
            for (int launch = 0; launch < LAUNCHES; launch++) {
                int added = launch + rank;
                IntBuffers.set(buffer, i -> added + i);
                sum.run(LIMIT);
                int all = ranks * launch + ranks * (ranks - 1) / 2;
                IntBuffers.require("launch " + launch, buffer, i -> all + ranks * i);
            }
        }
    }
}
