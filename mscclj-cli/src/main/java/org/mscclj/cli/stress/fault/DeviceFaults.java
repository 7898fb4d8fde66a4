package org.mscclj.cli.stress.fault;

import java.util.Locale;
import java.util.Map;
import org.mscclj.cli.stress.rank.DeviceFault;
import org.mscclj.cli.stress.rank.FaultyLaunch;
import org.mscclj.cli.stress.rank.Report;

/**
 * Kernels that fault on purpose, on each rank in turn, while all ranks are in a collective. The rank itself must say
 * what the driver calls it and what it has launched, the others which rank it is; then that rank's process is replaced,
 * as its device is of no use to it any more, and the ranks go on and add up right.
 *
 * @param faults how many
 */
public record DeviceFaults(int faults) implements FaultScenario {
    @Override
    public FaultResult run(FaultSettings settings) {
        FaultResult result = new FaultResult(
                "device-faults", "from the launch of a kernel that faults until a rank has said so", settings);
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
        world.tell("fault " + kind + " " + victim);
        world.awaitAll(Report.Kind.RUNNING);
        long begun = System.nanoTime();
        for (int rank = 0; rank < settings.ranks(); rank++) {
            Report.Kind expected = rank == victim ? Report.Kind.DEVICE : Report.Kind.ABORTED;
            RankProcess.Heard heard = world.rank(rank).await(expected, RankWorld.PATIENCE);
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
            RankProcess.Heard _ = world.rank(rank).await(Report.Kind.DONE, RankWorld.PATIENCE);
        }
        world.rank(victim).tell("close");
        world.rank(victim).await(Report.Kind.DONE, RankWorld.PATIENCE);
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
