package org.mscclj.cli.stress.chaos;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.mscclj.spi.Feature;

/**
 * One case: which ranks are harmed, how, and when.
 *
 * @param number of the case
 * @param phase what ranks do then
 * @param harm what is done
 * @param ranks number of ranks
 * @param ranksPerNode ranks that are treated as if on the same node
 * @param harmed to which ranks it is done
 * @param operation what the ranks repeat, or nothing
 * @param count elements of a part
 * @param millis from the announcement of the first of the harmed on
 * @param late a rank that is not harmed, and comes to the rendezvous last where that matters
 * @param comes whether the harmed are told to open where that matters
 * @param reconfigures whether newcomers take the places of the harmed
 * @param again what happens while those who are left recover
 */
record ChaosCase(
        int number,
        Phase phase,
        Harm harm,
        int ranks,
        int ranksPerNode,
        List<Integer> harmed,
        String operation,
        int count,
        double millis,
        int late,
        boolean comes,
        boolean reconfigures,
        Optional<Again> again) {
    private static final int FEWEST = 3;
    private static final int MOST = 5;
    private static final int FEWEST_LEFT = 2;
    private static final List<Integer> COUNTS = List.of(16, 1024, 65_536);
    private static final double RECOVERY_MILLIS = 120;
    private static final long APART = 0x9E37_79B9_7F4A_7C15L;

    /**
     * One more rank is harmed.
     *
     * @param rank which
     * @param harm what is done to it
     * @param millis from its announcement on
     */
    record Again(int rank, Harm harm, double millis) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%s of rank %d %.1f ms after it calls that", harm.signal(), rank, millis);
        }
    }

    /** Copies the list. */
    ChaosCase {
        harmed = List.copyOf(harmed);
    }

    /**
     * Draws a case. Phases take turns, and when all have had theirs, harms do.
     *
     * @param seed of all cases
     * @param features of the backend
     */
    static ChaosCase draw(long seed, int number, Set<Feature> features) {
        SplittableRandom random = new SplittableRandom(seed + number * APART);
        List<Phase> phases = List.of(Phase.values());
        List<Harm> harms = List.of(Harm.values());
        Phase phase = phases.get(number % phases.size());
        Harm harm = harms.get(number / phases.size() % harms.size());
        int ranks = random.nextInt(FEWEST, MOST + 1);
        List<Integer> harmed = harmed(ranks, random);
        List<Integer> left = IntStream.range(0, ranks)
                .filter(rank -> !harmed.contains(rank))
                .boxed()
                .toList();
        List<String> operations = phase.operations(features);
        boolean reconfigures = random.nextInt(3) == 0;
        return new ChaosCase(
                number,
                phase,
                harm,
                ranks,
                ranksPerNode(ranks, random),
                harmed,
                operations.isEmpty() ? "" : pick(operations, random),
                pick(COUNTS, random),
                phase.moment(random.nextDouble()),
                pick(left, random),
                random.nextBoolean(),
                reconfigures,
                again(left, reconfigures ? harmed : List.of(), random));
    }

    private static List<Integer> harmed(int ranks, SplittableRandom random) {
        int number = ranks - 2 >= FEWEST_LEFT && random.nextInt(3) == 0 ? 2 : 1;
        Set<Integer> harmed = new TreeSet<>();
        if (random.nextInt(3) == 0) {
            harmed.add(0);
        }
        while (harmed.size() < number) {
            harmed.add(random.nextInt(ranks));
        }
        return List.copyOf(harmed);
    }

    /** All ranks are on one node, or each on its own, or two on each. */
    private static int ranksPerNode(int ranks, SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> 1;
            case 1 -> ranks % 2 == 0 ? 2 : 1;
            default -> ranks;
        };
    }

    /** One of those that are left is harmed, or sometimes a newcomer. */
    private static Optional<Again> again(List<Integer> left, List<Integer> newcomers, SplittableRandom random) {
        List<Integer> some = random.nextInt(4) == 0 && !newcomers.isEmpty() ? newcomers : left;
        Again again = new Again(
                pick(some, random), pick(List.of(Harm.values()), random), random.nextDouble() * RECOVERY_MILLIS);
        return left.size() > FEWEST_LEFT && random.nextBoolean() ? Optional.of(again) : Optional.empty();
    }

    private static <T> T pick(List<T> list, SplittableRandom random) {
        return list.get(random.nextInt(list.size()));
    }

    boolean isOnOneNode() {
        return ranksPerNode == ranks;
    }

    /** Those to whom nothing is done at first. */
    List<Integer> left() {
        return IntStream.range(0, ranks)
                .filter(rank -> !harmed.contains(rank))
                .boxed()
                .toList();
    }

    /** Phase and harm. */
    String kind() {
        return phase + ", " + harm.signal();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "case %d, %s of ranks %s of %d after %.1f ms%s%s, then %s%s",
                number,
                kind(),
                harmed,
                ranks,
                millis,
                isOnOneNode() ? "" : ", as if on nodes of " + ranksPerNode,
                operation.isEmpty() ? "" : ", " + operation + " of " + count,
                reconfigures ? "reconfigure" : "shrink",
                again.map(more -> ", and in that " + more).orElse(""));
    }
}
