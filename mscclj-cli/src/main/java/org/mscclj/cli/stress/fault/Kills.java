package org.mscclj.cli.stress.fault;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.mscclj.cli.stress.rank.RankReport;
import org.mscclj.spi.waiting.Backoff;

/**
 * A scenario that kills processes at random moments, each rank and each operation in turn. The others must report that
 * it is lost, and continue with right results without it, and then with a new process in its place.
 *
 * @param kills the number of kills
 */
public record Kills(int kills) implements FaultScenario {
    private static final long MAX_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int[] COUNTS = {16, 1024, 65_536};

    @Override
    public FaultResult run(FaultSettings settings) {
        FaultResult result = new FaultResult("kills", "from SIGKILL until a rank has named the lost rank", settings);
        Random random = new Random(settings.seed());
        try (RankWorld world = new RankWorld(settings, Map.of())) {
            for (int i = 0; i < kills; i++) {
                String name = settings.operation(i);
                int victim = settings.victim(i);
                world.attempt(
                        result,
                        name + ", victim " + victim + ", case " + i,
                        () -> kill(world, settings, name, victim, random, result));
            }
        }
        return result;
    }

    private static void kill(
            RankWorld world, FaultSettings settings, String name, int victim, Random random, FaultResult result) {
        world.open(settings.timeout());
        world.send("repeat " + name + " " + COUNTS[random.nextInt(COUNTS.length)]);
        world.awaitAll(RankReport.Kind.RUNNING);
        Backoff.delay(random.nextLong(MAX_DELAY_NANOS));
        long killed = System.nanoTime();
        world.rank(victim).kill();
        for (int rank : world.others(victim)) {
            ChildRank.ReceivedReport heard = world.rank(rank).await(RankReport.Kind.LOST, RankWorld.STEP_TIMEOUT);
            result.took(name, heard.nanos() - killed);
            if (!heard.report().ranks().equals(List.of(victim))) {
                result.failed(name, "rank " + victim + " was killed, and rank " + rank + " says " + heard.report());
            }
        }
        long found = System.nanoTime();
        world.shrink(victim);
        result.most("shrinking, and a right sum", System.nanoTime() - found);
        long shrunk = System.nanoTime();
        world.grow(victim);
        result.most("a newcomer in its place, and a right sum", System.nanoTime() - shrunk);
        world.closeCommunicators();
    }
}
