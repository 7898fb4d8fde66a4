package org.mscclj.cli.stress.fault;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.mscclj.cli.stress.rank.Report;

/**
 * Processes that are stopped: half of them longer than the communicator's timeout, which must name them on all other
 * ranks; half of them for a shorter time, after which everything must go on, with right results.
 *
 * @param stops how many
 * @param timeout the communicator's: much longer than {@link #USUAL_TIMEOUT} where a machine stalls
 */
public record Stops(int stops, Duration timeout) implements FaultScenario {
    /** The timeout where nothing else is said. */
    public static final Duration USUAL_TIMEOUT = Duration.ofSeconds(4);

    private static final Duration LONGEST_SHORT_STOP = Duration.ofSeconds(2);
    private static final int COUNT = 1024;

    @Override
    public FaultResult run(FaultSettings settings) {
        FaultResult result = new FaultResult("stops", "from SIGSTOP until a rank has named the late rank", settings);
        Random random = new Random(settings.seed());
        try (RankWorld world = new RankWorld(settings, Map.of())) {
            for (int i = 0; i < stops; i++) {
                String name = settings.operation(i / 2);
                int victim = settings.victim(i / 2);
                boolean tooLong = i % 2 == 0;
                String length = tooLong ? "too long" : "for a while";
                world.attempt(result, name + ", victim " + victim + ", " + length + ", case " + i, () -> {
                    world.open(timeout);
                    if (tooLong) {
                        stopTooLong(world, name, victim, random, result);
                    } else {
                        stopForAWhile(world, name, victim, random);
                    }
                    world.closeCommunicators();
                });
            }
        }
        return result;
    }

    /** With what the watchdog may add: an eighth of the limit, and a second for those who do not answer. */
    private Duration latest() {
        return timeout.plus(timeout.dividedBy(8)).plusSeconds(1);
    }

    private void stopTooLong(RankWorld world, String name, int victim, Random random, FaultResult result) {
        world.tell("repeat " + name + " " + COUNT);
        world.awaitAll(Report.Kind.RUNNING);
        LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(100)));
        try (StoppedProcess _ = world.rank(victim).stop()) {
            long stopped = System.nanoTime();
            for (int rank : world.others(victim)) {
                RankProcess.Heard heard = world.rank(rank).await(Report.Kind.TIMEOUT, RankWorld.PATIENCE);
                result.took(name, heard.nanos() - stopped, latest());
                if (!heard.report().ranks().equals(List.of(victim))) {
                    result.failed(
                            name, "rank " + victim + " was stopped, and rank " + rank + " says " + heard.report());
                }
            }
        }
        world.rank(victim).await(Report.Kind.TIMEOUT, RankWorld.PATIENCE);
    }

    private void stopForAWhile(RankWorld world, String name, int victim, Random random) {
        world.tell("until-finished " + name + " " + COUNT);
        world.awaitAll(Report.Kind.RUNNING);
        try (StoppedProcess _ = world.rank(victim).stop()) {
            LockSupport.parkNanos(random.nextLong(Math.min(LONGEST_SHORT_STOP.toNanos(), timeout.toNanos() / 2)));
        }
        world.tell("finish");
        world.awaitAll(Report.Kind.DONE);
    }
}
