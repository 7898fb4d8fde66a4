package org.mscclj.cli.stress.fault;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.cli.stress.rank.Report;

/**
 * Processes that are stopped: half of them longer than the communicator's timeout, which must name them on all other ranks; half of them for a shorter
 * time, after which everything must go on, with right results.
 *
 * @param stops how many
 */
public record Stops(int stops) implements FaultScenario {
    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    /** What the watchdog may add: an eighth of the limit, and a second for those who do not answer. */
    private static final Duration LATEST = TIMEOUT.plus(TIMEOUT.dividedBy(8)).plusSeconds(1);

    private static final long LONGEST_SHORT_STOP_NANOS = TIMEOUT.toNanos() / 2;
    private static final int COUNT = 1024;

    @Override
    public FaultResult run(FaultSettings settings) {
        FaultResult result = new FaultResult(
                "stops",
                "from SIGSTOP until a rank has said who is late (" + LATEST.toMillis() + " ms more are allowed)",
                settings);
        Random random = new Random(settings.seed());
        List<String> names = settings.operations();
        try (RankWorld world = new RankWorld(settings, Map.of())) {
            for (int i = 0; i < stops; i++) {
                String name = names.get(i / 2 % names.size());
                int victim = i / 2 % settings.ranks();
                boolean tooLong = i % 2 == 0;
                String length = tooLong ? "too long" : "for a while";
                world.attempt(result, name + ", victim " + victim + ", " + length + ", case " + i, () -> {
                    world.open(TIMEOUT);
                    if (tooLong) {
                        stopTooLong(world, name, victim, random, result);
                    } else {
                        stopForAWhile(world, name, victim, random);
                    }
                    world.close(world.others(-1));
                });
            }
        }
        return result;
    }

    private static void stopTooLong(RankWorld world, String name, int victim, Random random, FaultResult result) {
        world.tell("repeat " + name + " " + COUNT);
        world.awaitAll(Report.Kind.RUNNING);
        LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(100)));
        try (StoppedProcess _ = world.rank(victim).stop()) {
            long stopped = System.nanoTime();
            for (int rank : world.others(victim)) {
                RankProcess.Heard heard = world.rank(rank).await(Report.Kind.TIMEOUT, RankWorld.PATIENCE);
                result.took(name, heard.nanos() - stopped, LATEST);
                if (!heard.report().ranks().equals(List.of(victim))) {
                    result.failed(
                            name, "rank " + victim + " was stopped, and rank " + rank + " says " + heard.report());
                }
            }
        }
        world.rank(victim).await(Report.Kind.TIMEOUT, RankWorld.PATIENCE);
    }

    private static void stopForAWhile(RankWorld world, String name, int victim, Random random) {
        world.tell("until-finished " + name + " " + COUNT);
        world.awaitAll(Report.Kind.RUNNING);
        try (StoppedProcess _ = world.rank(victim).stop()) {
            LockSupport.parkNanos(random.nextLong(LONGEST_SHORT_STOP_NANOS));
        }
        world.tell("finish");
        world.awaitAll(Report.Kind.DONE);
    }
}
