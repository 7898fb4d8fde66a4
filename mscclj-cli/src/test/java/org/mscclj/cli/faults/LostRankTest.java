package org.mscclj.cli.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.cli.RankJvm;

/**
 * Processes of a group of three that end abruptly, at random moments. {@code -Dmscclj.full=true} for more of them, and
 * {@code -Dmscclj.seed=N} to repeat the moments.
 */
@Isolated // a second is all that a loss may take to be known
@Timeout(value = 1100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostRankTest {
    private static final long SEED = Long.getLong("mscclj.seed", System.nanoTime() & 0xffff_ffffL);
    private static final boolean FULL = Boolean.getBoolean("mscclj.full");
    private static final int RANKS = 3;
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration SET_UP_TIMEOUT = Duration.ofSeconds(6);
    private static final long MAX_MILLIS = 1000;

    @TempDir
    Path temporary;

    @BeforeAll
    static void tellSeed() {
        System.out.println("LostRankTest: -Dmscclj.seed=" + SEED);
    }

    @Test
    void theOthersNameAKilledRankWithinASecond() throws Exception {
        int kills = Integer.getInteger("mscclj.kills", FULL ? 50 : 3);
        SplittableRandom random = new SplittableRandom(SEED);
        Times times = new Times();
        for (int kill = 0; kill < kills; kill++) {
            int victim = kill % RANKS;
            try (Group group = Group.start(temporary, random.nextLong(), TIMEOUT)) {
                group.await("running");
                LockSupport.parkNanos(random.nextInt(1_000_000_000));
                long killed = System.currentTimeMillis();
                group.kill(victim);
                times.add(group.requireLost(victim, killed));
            }
        }
        System.out.println("LostRankTest: " + kills + " kills, " + times);
    }

    @Test
    void theOthersNameARankThatHaltsWithinASecond() throws Exception {
        int halts = FULL ? 6 : 1;
        SplittableRandom random = new SplittableRandom(SEED + 1);
        Times times = new Times();
        for (int halt = 0; halt < halts; halt++) {
            int victim = halt % RANKS;
            try (Group group = Group.start(temporary, random.nextLong(), TIMEOUT, victim, 300 + random.nextInt(500))) {
                String line = group.ranks.get(victim).await("halting at ", START);
                assertEquals(3, group.ranks.get(victim).awaitEnd(START));
                times.add(group.requireLost(victim, number(line)));
            }
        }
        System.out.println("LostRankTest: " + halts + " halts, " + times);
    }

    /** Before all have joined, the others wait until the timeout; from then on a loss is detected at once. */
    @Tag("deep")
    @Test
    void theOthersNameARankThatIsKilledDuringSetUp() throws Exception {
        int kills = FULL ? 36 : 3;
        SplittableRandom random = new SplittableRandom(SEED + 2);
        Times times = new Times();
        for (int kill = 0; kill < kills; kill++) {
            int victim = kill % RANKS;
            boolean whileOpening = kill / RANKS % 2 == 0;
            try (Group group = Group.start(temporary, random.nextLong(), SET_UP_TIMEOUT)) {
                group.ranks.get(victim).await(whileOpening ? "opening" : "opened", START);
                LockSupport.parkNanos(random.nextInt(whileOpening ? 500_000_000 : 200_000_000));
                group.kill(victim);
                group.requireNamed(victim, times);
            }
        }
        System.out.println("LostRankTest: " + kills + " kills during set-up, " + times);
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceFirst(".* at (\\d+).*", "$1"));
    }

    /** The survivors' times of one kill or many, in milliseconds. */
    private static final class Times {
        private final List<Long> millis = new ArrayList<>();
        private int timedOut;

        void addTimeout() {
            timedOut++;
        }

        void add(List<Long> more) {
            millis.addAll(more);
        }

        @Override
        public String toString() {
            List<Long> sorted = millis.stream().sorted().toList();
            String told = sorted.isEmpty()
                    ? ""
                    : ", milliseconds to the exception: median " + sorted.get(sorted.size() / 2) + ", worst "
                            + sorted.getLast();
            return sorted.size() + " survivors" + told + "; " + timedOut + " whose rendezvous timed out";
        }
    }

    /** Processes that run the same calls. */
    private record Group(List<RankJvm> ranks, Places places) implements AutoCloseable {
        static Group start(Path temporary, long seed, Duration timeout) throws IOException {
            return start(temporary, seed, timeout, -1, 0);
        }

        /** Starts a group, one rank of which halts some milliseconds after its start. */
        static Group start(Path temporary, long seed, Duration timeout, int halting, long millis) throws IOException {
            Group group = new Group(new ArrayList<>(), Places.before(temporary));
            String job = "lost-" + UUID.randomUUID();
            try {
                for (int rank = 0; rank < RANKS; rank++) {
                    List<String> arguments =
                            new ArrayList<>(List.of(Long.toString(seed), Long.toString(timeout.toMillis())));
                    if (rank == halting) {
                        arguments.add(Long.toString(millis));
                    }
                    group.ranks.add(RankJvm.start(
                            CollectivesUntilLost.class,
                            temporary,
                            RankJvm.variables(rank, RANKS, job),
                            arguments.toArray(String[]::new)));
                }
                return group;
            } catch (IOException | RuntimeException e) {
                group.close();
                throw e;
            }
        }

        void await(String line) throws InterruptedException {
            for (RankJvm rank : ranks) {
                rank.await(line, START);
            }
        }

        void kill(int victim) {
            ranks.get(victim).kill();
        }

        /** All others name the victim in time, end normally, and leave no files behind. */
        List<Long> requireLost(int victim, long killed) throws Exception {
            List<Long> times = new ArrayList<>();
            for (int rank = 0; rank < RANKS; rank++) {
                if (rank != victim) {
                    RankJvm survivor = ranks.get(rank);
                    String line = survivor.await("lost ", START);
                    assertTrue(line.startsWith("lost " + victim + " at "), () -> of(survivor));
                    long millis = number(line) - killed;
                    assertTrue(millis < MAX_MILLIS, () -> "noticed after " + millis + " ms; " + of(survivor));
                    times.add(millis);
                    requireEnd(survivor);
                }
            }
            places.requireNothingNew();
            return times;
        }

        /** All others name the victim as lost or as missing, end normally, and leave no files behind. */
        void requireNamed(int victim, Times times) throws Exception {
            // the rendezvous waits until the timeout of the survivor that opens last: VMs start as late as the machine
            // is busy
            long last = System.currentTimeMillis();
            for (int rank = 0; rank < RANKS; rank++) {
                if (rank != victim) {
                    last = Math.max(last, number(ranks.get(rank).await("opening at ", START)));
                }
            }
            long since = last;
            for (int rank = 0; rank < RANKS; rank++) {
                if (rank != victim) {
                    RankJvm survivor = ranks.get(rank);
                    requireEnd(survivor);
                    String line = survivor.transcript().stream()
                            .filter(said -> said.startsWith("lost ") || said.startsWith("missing "))
                            .findFirst()
                            .orElse("");
                    boolean lost = line.startsWith("lost " + victim + " at ");
                    assertTrue(lost || line.startsWith("missing [" + victim + "] at "), () -> of(survivor));
                    long millis = number(line) - since;
                    long most = lost ? MAX_MILLIS : MAX_MILLIS + SET_UP_TIMEOUT.toMillis();
                    assertTrue(millis < most, () -> "noticed after " + millis + " ms; " + of(survivor));
                    if (lost) {
                        times.add(List.of(millis));
                    } else {
                        times.addTimeout();
                    }
                }
            }
            places.requireNothingNew();
        }

        private String of(RankJvm survivor) {
            return "rank " + ranks.indexOf(survivor) + ", -Dmscclj.seed=" + SEED + "; " + survivor;
        }

        private void requireEnd(RankJvm survivor) throws InterruptedException {
            assertEquals(0, survivor.awaitEnd(START), () -> of(survivor));
            assertTrue(
                    survivor.transcript().stream().noneMatch(line -> line.startsWith("suppressed ")),
                    () -> of(survivor));
        }

        @Override
        public void close() {
            ranks.forEach(RankJvm::close);
        }
    }
}
