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
 * One case: the harmed ranks, the kind of fault, and its time.
 *
 * @param number the number of the case
 * @param phase the phase in which the fault happens
 * @param harm the kind of fault
 * @param ranks number of ranks
 * @param ranksPerNode the number of ranks on each simulated node
 * @param harmed the harmed ranks
 * @param operation the operation that the ranks repeat, or nothing
 * @param count number of elements of a part
 * @param millis time of the fault, in milliseconds after the announcement of the first harmed rank
 * @param late an unharmed rank that joins the rendezvous last, if the phase needs one
 * @param comes whether the harmed ranks open the communicator, if the phase depends on it
 * @param reconfigures whether newcomers replace the harmed ranks
 * @param again the fault during recovery, if there is one
 */
record ChaosCase(
        int number,
        Phase phase,
        ProcessFault harm,
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
    private static final int MIN_RANKS = 3;
    private static final int MAX_RANKS = 5;
    private static final int MIN_RANKS_LEFT = 2;
    private static final List<Integer> COUNTS = List.of(16, 1024, 65_536);
    private static final double RECOVERY_MILLIS = 120;
    private static final long APART = 0x9E37_79B9_7F4A_7C15L;

    /**
     * A fault during recovery.
     *
     * @param rank the harmed rank
     * @param harm the kind of fault
     * @param millis time of the fault, in milliseconds after its announcement
     */
    record Again(int rank, ProcessFault harm, double millis) {
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
     * Draws a random case. Phases alternate, and after each round of phases the kind of fault changes.
     *
     * @param seed the seed of all cases
     * @param features of the backend
     */
    static ChaosCase draw(long seed, int number, Set<Feature> features) {
        SplittableRandom random = new SplittableRandom(seed + number * APART);
        List<Phase> phases = List.of(Phase.values());
        List<ProcessFault> harms = List.of(ProcessFault.values());
        Phase phase = phases.get(number % phases.size());
        ProcessFault harm = harms.get(number / phases.size() % harms.size());
        int ranks = random.nextInt(MIN_RANKS, MAX_RANKS + 1);
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
        int number = ranks - 2 >= MIN_RANKS_LEFT && random.nextInt(3) == 0 ? 2 : 1;
        Set<Integer> harmed = new TreeSet<>();
        if (random.nextInt(3) == 0) {
            harmed.add(0);
        }
        while (harmed.size() < number) {
            harmed.add(random.nextInt(ranks));
        }
        return List.copyOf(harmed);
    }

    /** Draws the nodes: one node for all ranks, one for each, or one for each two. */
    private static int ranksPerNode(int ranks, SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> 1;
            case 1 -> ranks % 2 == 0 ? 2 : 1;
            default -> ranks;
        };
    }

    /** Draws the fault during recovery, of a survivor or sometimes of a newcomer. */
    private static Optional<Again> again(List<Integer> left, List<Integer> newcomers, SplittableRandom random) {
        List<Integer> some = random.nextInt(4) == 0 && !newcomers.isEmpty() ? newcomers : left;
        Again again = new Again(
                pick(some, random),
                pick(List.of(ProcessFault.values()), random),
                random.nextDouble() * RECOVERY_MILLIS);
        return left.size() > MIN_RANKS_LEFT && random.nextBoolean() ? Optional.of(again) : Optional.empty();
    }

    private static <T> T pick(List<T> list, SplittableRandom random) {
        return list.get(random.nextInt(list.size()));
    }

    boolean isOnOneNode() {
        return ranksPerNode == ranks;
    }

    /** Returns the ranks that the first fault does not harm. */
    List<Integer> left() {
        return IntStream.range(0, ranks)
                .filter(rank -> !harmed.contains(rank))
                .boxed()
                .toList();
    }

    /** Returns phase and kind of fault. */
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
