package org.mscclj.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Phaser;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;

/**
 * Measures how much longer a call takes whose size a rank has not launched before than a call of a known size: an
 * in-place allreduce of {@code int32}, by ranks that are threads, joined each time. Rank 0 measures. Calls of a known
 * size and of new sizes take turns. The known size of a round is the mean of the new ones, so that data takes equally
 * long.
 *
 * <p>Arguments: backend, numbers of ranks separated by commas, rounds, and calls before the first round if these are
 * not {@value #WARM_UP}.
 */
public final class NewSizes {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** Calls of each kind in a round. */
    private static final int CALLS = 624;

    /** Calls of each kind before the first round, so that the compiler has done its work. */
    private static final int WARM_UP = 300_000;

    private static final int MAX_BYTES = 1 << 20;
    private static final int ELEMENT_BYTES = 4;

    /** The first round begins here; each of the next begins where the one before it ends. */
    private static final int FIRST_ELEMENTS = 512;

    /** After as many rounds, the sizes begin anew. By then they are forgotten: fewer calls are kept. */
    private static final int DIFFERENT_ROUNDS = 8;

    /** New sizes lie so far apart. The known size lies between two of them in the middle. */
    private static final int STEP = 2;

    private final int ranks;
    private final boolean registered;
    private final int rounds;
    private final int warmUp;

    private NewSizes(int ranks, boolean registered, int rounds, int warmUp) {
        this.ranks = ranks;
        this.registered = registered;
        this.rounds = rounds;
        this.warmUp = warmUp;
    }

    /** Prints the table. */
    public static void main(String[] arguments) {
        String backend = arguments[0];
        int rounds = Integer.parseInt(arguments[2]);
        int warmUp = arguments.length > 3 ? Integer.parseInt(arguments[3]) : WARM_UP;
        System.out.printf(Locale.ROOT, "%5s %-10s %10s %22s%n", "ranks", "memory", "known, us", "new takes longer, us");
        for (String ranks : arguments[1].split(",", -1)) {
            for (boolean registered : new boolean[] {false, true}) {
                new NewSizes(Integer.parseInt(ranks), registered, rounds, warmUp).measure(backend);
            }
        }
    }

    private void measure(String backend) {
        double[] known = new double[rounds];
        double[] longer = new double[rounds];
        Phaser phaser = new Phaser(ranks);
        try (LocalGroup group =
                LocalGroup.open(LocalGroupOptions.ranks(ranks).backend(backend).timeout(LIMIT))) {
            List<Thread> others = new ArrayList<>();
            for (int rank = 1; rank < ranks; rank++) {
                Communicator other = group.communicator(rank);
                others.add(Thread.ofPlatform().start(() -> run(other, phaser, new double[rounds], new double[rounds])));
            }
            run(group.communicator(0), phaser, known, longer);
            for (Thread other : others) {
                other.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while ranks end", e);
        }
        Arrays.sort(known);
        Arrays.sort(longer);
        System.out.printf(
                Locale.ROOT,
                "%5d %-10s %10.2f %6.2f (%5.2f to %5.2f)%n",
                ranks,
                registered ? "registered" : "plain",
                known[rounds / 2] / 1e3,
                longer[rounds / 2] / 1e3,
                longer[0] / 1e3,
                longer[rounds - 1] / 1e3);
    }

    private void run(Communicator communicator, Phaser phaser, double[] known, double[] longer) {
        DeviceBuffer buffer = registered
                ? communicator.allocate(MAX_BYTES)
                : communicator.device().allocate(MAX_BYTES);
        for (int call = 0; call < warmUp; call++) {
            long _ = nanos(communicator, buffer, known(call / CALLS));
            long _ = nanos(communicator, buffer, first(call / CALLS) + STEP * (call % CALLS));
        }
        for (int round = 0; round < rounds; round++) {
            long[] ofKnown = new long[CALLS];
            long[] ofNew = new long[CALLS];
            long _ = nanos(communicator, buffer, known(round));
            phaser.arriveAndAwaitAdvance();
            for (int call = 0; call < CALLS; call++) {
                ofKnown[call] = nanos(communicator, buffer, known(round));
                ofNew[call] = nanos(communicator, buffer, first(round) + STEP * call);
            }
            Arrays.sort(ofKnown);
            Arrays.sort(ofNew);
            known[round] = ofKnown[CALLS / 2];
            longer[round] = ofNew[CALLS / 2] - ofKnown[CALLS / 2];
        }
        phaser.arriveAndAwaitAdvance();
        buffer.close();
    }

    private static int first(int round) {
        return FIRST_ELEMENTS + STEP * CALLS * (round % DIFFERENT_ROUNDS);
    }

    private static int known(int round) {
        return first(round) + STEP * CALLS / 2 + 1;
    }

    private static long nanos(Communicator communicator, DeviceBuffer buffer, int elements) {
        CollectiveCall call =
                CollectiveCall.allReduce(buffer.slice(0, (long) elements * ELEMENT_BYTES), DataType.INT32);
        long start = System.nanoTime();
        communicator.execute(call).join();
        return System.nanoTime() - start;
    }
}
