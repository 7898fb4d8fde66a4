package org.mscclj.cli.stress.fault;

import java.util.Locale;
import java.util.Map;
import org.mscclj.cli.stress.rank.DeviceFault;
import org.mscclj.cli.stress.rank.FaultyLaunch;
import org.mscclj.cli.stress.rank.RankReport;

/**
 * A scenario in which kernels fault on purpose, on each rank in turn, while all ranks are in a collective. The rank
 * itself must report the driver's error and its launches, the others must name the rank. Then that rank's process is
 * replaced, since it cannot use its device any more, and the ranks continue with right results.
 *
 * @param faults the number of faults
 */
public record DeviceFaults(int faults) implements FaultScenario {
    @Override
    public FaultResult run(FaultSettings settings) {
        FaultResult result = new FaultResult(
                "device-faults", "from the launch of a faulting kernel until a rank has reported it", settings);
        try (RankWorld world = new RankWorld(settings, Map.of())) {
            for (int i = 0; i < faults; i++) {
                DeviceFault[] kinds = DeviceFault.values();
                DeviceFault kind = kinds[i % kinds.length];
                int victim = (i % kinds.length + i / kinds.length) % settings.ranks();
                String name = kind.name().toLowerCase(Locale.ROOT);
                world.attempt(
                        result,
                        name + ", victim " + victim + ", case " + i,
                        () -> fault(world, settings, kind, name, victim, result));
            }
        }
        return result;
    }

    private static void fault(
            RankWorld world, FaultSettings settings, DeviceFault kind, String name, int victim, FaultResult result) {
        world.open(settings.timeout());
        world.send("fault " + kind + " " + victim);
        world.awaitAll(RankReport.Kind.RUNNING);
        long begun = System.nanoTime();
        for (int rank = 0; rank < settings.ranks(); rank++) {
            RankReport.Kind expected = rank == victim ? RankReport.Kind.DEVICE : RankReport.Kind.ABORTED;
            ChildRank.ReceivedReport heard = world.rank(rank).await(expected, RankWorld.STEP_TIMEOUT);
            result.took(name, heard.nanos() - begun, FaultyLaunch.PAUSE);
            String message = heard.report().message();
            boolean named = rank == victim || message.contains("rank " + victim + ": its device has failed");
            if (!named || !kind.isNamed(message) || !message.contains(kind.function())) {
                result.failed(
                        name,
                        "a kernel of rank " + victim + " has faulted by " + kind.symbols() + ", and rank " + rank
                                + " says " + heard.report());
            }
        }
        for (int rank = 0; rank < settings.ranks(); rank++) {
            ChildRank.ReceivedReport _ = world.rank(rank).await(RankReport.Kind.DONE, RankWorld.STEP_TIMEOUT);
        }
        world.rank(victim).send("close");
        world.rank(victim).await(RankReport.Kind.DONE, RankWorld.STEP_TIMEOUT);
        world.rank(victim).kill();
        long found = System.nanoTime();
        world.shrink(victim);
        result.most("shrinking, and a right sum", System.nanoTime() - found);
        long shrunk = System.nanoTime();
        world.grow(victim);
        result.most("a new process in its place, and a right sum", System.nanoTime() - shrunk);
        world.closeCommunicators();
    }
}
