package org.mscclj.cli.stress.fault;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.mscclj.cli.stress.rank.RankReport;
import org.mscclj.spi.waiting.Backoff;

/**
 * A scenario that stops processes: half of them longer than the communicator's timeout, so that all other ranks must
 * name them; the other half for a shorter time, after which all ranks must continue with right results.
 *
 * @param stops the number of stops
 * @param timeout the timeout of the communicator: much longer than {@link #USUAL_TIMEOUT} on a machine that stalls
 */
public record Stops(int stops, Duration timeout) implements FaultScenario {
    /** The default timeout. */
    public static final Duration USUAL_TIMEOUT = Duration.ofSeconds(4);

    private static final Duration MAX_SHORT_STOP = Duration.ofSeconds(2);
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

    /** Returns the limit with what the watchdog may add: an eighth of it, and a second for ranks that do not answer. */
    private Duration latest() {
        return timeout.plus(timeout.dividedBy(8)).plusSeconds(1);
    }

    private void stopTooLong(RankWorld world, String name, int victim, Random random, FaultResult result) {
        world.send("repeat " + name + " " + COUNT);
        world.awaitAll(RankReport.Kind.RUNNING);
        Backoff.delay(random.nextLong(TimeUnit.MILLISECONDS.toNanos(100)));
        try (StoppedProcess _ = world.rank(victim).stop()) {
            long stopped = System.nanoTime();
            for (int rank : world.others(victim)) {
                ChildRank.ReceivedReport heard =
                        world.rank(rank).await(RankReport.Kind.TIMEOUT, RankWorld.STEP_TIMEOUT);
                result.took(name, heard.nanos() - stopped, latest());
                if (!heard.report().ranks().equals(List.of(victim))) {
                    result.failed(
                            name, "rank " + victim + " was stopped, and rank " + rank + " says " + heard.report());
                }
            }
        }
        world.rank(victim).await(RankReport.Kind.TIMEOUT, RankWorld.STEP_TIMEOUT);
    }

    private void stopForAWhile(RankWorld world, String name, int victim, Random random) {
        world.send("until-finished " + name + " " + COUNT);
        world.awaitAll(RankReport.Kind.RUNNING);
        try (StoppedProcess _ = world.rank(victim).stop()) {
            Backoff.delay(random.nextLong(Math.min(MAX_SHORT_STOP.toNanos(), timeout.toNanos() / 2)));
        }
        world.send("finish");
        world.awaitAll(RankReport.Kind.DONE);
    }
}
