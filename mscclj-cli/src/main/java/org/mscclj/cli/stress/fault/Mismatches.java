package org.mscclj.cli.stress.fault;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.mscclj.cli.stress.rank.RankReport;
import org.mscclj.conformance.operation.Mismatch;

/**
 * A scenario in which one rank makes a different call. Half of the calls are compared before the launch
 * ({@code MSCCLJ_CHECK=1}), the other half are found when they are late. All ranks must report which rank has called
 * what.
 *
 * @param cases the number of cases
 * @param late the time after which a launch is late, in whole seconds: much longer than {@link #USUALLY_LATE} on a
 *     machine that stalls
 */
public record Mismatches(int cases, Duration late) implements FaultScenario {
    /** The default time after which a launch is late. */
    public static final Duration USUALLY_LATE = Duration.ofSeconds(1);

    @Override
    public FaultResult run(FaultSettings settings) {
        FaultResult result = new FaultResult("mismatches", "from the calls until a rank has named them", settings);
        Random random = new Random(settings.seed());
        run(settings, true, cases - cases / 2, Map.of("MSCCLJ_CHECK", "1"), random, result);
        run(
                settings,
                false,
                cases / 2,
                Map.of("MSCCLJ_CHECK", "0", "MSCCLJ_WATCHDOG_ENQUEUE_SECONDS", Long.toString(late.toSeconds())),
                random,
                result);
        return result;
    }

    /**
     * Returns the limit with what the watchdog may add: an eighth of its timeout, and a second for ranks that do not
     * answer.
     */
    private Duration latest() {
        return late.plus(late.dividedBy(8)).plusSeconds(1);
    }

    private void run(
            FaultSettings settings,
            boolean compared,
            int number,
            Map<String, String> environment,
            Random random,
            FaultResult result) {
        List<Mismatch> kinds = Stream.of(Mismatch.values())
                .filter(kind -> compared || isLate(kind, settings.ranks()))
                .toList();
        try (RankWorld world = new RankWorld(settings, environment)) {
            for (int i = 0; i < number; i++) {
                Mismatch kind = kinds.get(i % kinds.size());
                String name = kind.name().toLowerCase(Locale.ROOT) + (compared ? ", compared" : ", late");
                world.attempt(
                        result,
                        name + ", case " + i,
                        () -> mismatch(world, settings, kind, compared, name, random, result));
            }
        }
    }

    /** Some mismatching launches may complete; they are late only if a third rank does not launch. */
    private static boolean isLate(Mismatch kind, int ranks) {
        return ranks > 2 || !kind.mayEnd();
    }

    private void mismatch(
            RankWorld world,
            FaultSettings settings,
            Mismatch kind,
            boolean compared,
            String name,
            Random random,
            FaultResult result) {
        int ranks = settings.ranks();
        int deviant = random.nextInt(ranks);
        int absent = !compared && kind.mayEnd() ? (deviant + 1) % ranks : -1;
        world.open(settings.timeout());
        world.send("mismatch " + kind + " " + random.nextLong() + " " + deviant + " " + absent);
        String[] words = new String[2];
        for (int rank = 0; rank < ranks; rank++) {
            words = world.rank(rank)
                    .await(RankReport.Kind.RUNNING, RankWorld.STEP_TIMEOUT)
                    .report()
                    .message()
                    .split("\\|", -1);
        }
        long begun = System.nanoTime();
        for (int rank = 0; rank < ranks; rank++) {
            ChildRank.ReceivedReport heard = world.rank(rank)
                    .await(compared ? RankReport.Kind.REFUSED : RankReport.Kind.TIMEOUT, RankWorld.STEP_TIMEOUT);
            result.took(name, heard.nanos() - begun, compared ? Duration.ZERO : latest());
            String message = heard.report().message();
            if (!Mismatch.isNamed(message, deviant, words[0], words[1])) {
                result.failed(
                        name,
                        "rank " + deviant + " has called \"" + words[1] + "\" where others have called \"" + words[0]
                                + "\", and rank " + rank + " says " + heard.report());
            }
        }
        world.closeCommunicators();
    }
}
