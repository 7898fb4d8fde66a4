package org.mscclj.runtime.process;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;

/**
 * A rank in a process of its own, which prepares an allreduce with one other rank, meets all of them, and waits to be
 * killed. Arguments: the job, this rank, how many there are, the other rank of the pair.
 */
public final class PairUntilKilled {
    private static final Path PLAN = Path.of("..", "examples", "plans", "allreduce_packets_2ranks.json");

    private PairUntilKilled() {}

    public static void main(String[] arguments) throws InterruptedException {
        int rank = Integer.parseInt(arguments[1]);
        Communicator world = Communicator.open(
                CommunicatorOptions.rank(rank, Integer.parseInt(arguments[2])).job(arguments[0]));
        Communicator pair = world.split(List.of(rank, Integer.parseInt(arguments[3])), "pair")
                .orElseThrow();
        world.split(List.of(), "survivors");
        prepare(pair);
        world.barrier();
        new CountDownLatch(1).await(); // for ever
    }

    /** What both ranks of the pair prepare. Collective. */
    static PreparedOperation prepare(Communicator pair) {
        DeviceBuffer buffer = pair.allocate(1024);
        return pair.prepare(PlanCall.of(ExecutionPlan.load(PLAN), buffer, buffer, DataType.INT32));
    }
}
