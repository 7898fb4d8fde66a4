package org.mscclj.cli.stress.fault;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.mscclj.cli.stress.rank.RankReport;
import org.mscclj.spi.waiting.Backoff;

/**
 * A scenario that cuts all control connections of a process at random moments during operations, for each rank in turn,
 * while the process itself continues. The others must report that it is lost, and continue without it with right
 * results; it must report that it has lost one of them.
 *
 * @param cuts the number of cuts
 */
public record Cuts(int cuts) implements FaultScenario {
    private static final long MAX_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int COUNT = 1024;

    @Override
    public FaultResult run(FaultSettings settings) {
        FaultResult result =
                new FaultResult("cuts", "from the cut until a rank has named the unreachable rank", settings);
        Random random = new Random(settings.seed());
        try (RankWorld world = new RankWorld(settings, Map.of())) {
            for (int i = 0; i < cuts; i++) {
                String name = settings.operation(i);
                int victim = settings.victim(i);
                world.attempt(result, name + ", victim " + victim + ", case " + i, () -> {
                    try (ControlRelay relay = new ControlRelay(settings.ranks())) {
                        world.open(settings.timeout(), relay);
                        cut(world, relay, name, victim, random, result);
                    }
                });
            }
        }
        return result;
    }

    private static void cut(
            RankWorld world, ControlRelay relay, String name, int victim, Random random, FaultResult result) {
        world.send("repeat " + name + " " + COUNT);
        world.awaitAll(RankReport.Kind.RUNNING);
        Backoff.delay(random.nextLong(MAX_DELAY_NANOS));
        long cut = System.nanoTime();
        relay.cut(victim);
        List<Integer> left = world.others(victim);
        for (int rank : world.others(-1)) {
            ChildRank.ReceivedReport heard = world.rank(rank).await(RankReport.Kind.LOST, RankWorld.STEP_TIMEOUT);
            result.took(name, heard.nanos() - cut);
            List<Integer> named = heard.report().ranks();
            boolean right =
                    rank == victim ? named.size() == 1 && left.containsAll(named) : named.equals(List.of(victim));
            if (!right) {
                result.failed(name, "rank " + victim + " was cut off, and rank " + rank + " says " + heard.report());
            }
        }
        world.shrink(victim);
        world.closeCommunicators();
    }
}
