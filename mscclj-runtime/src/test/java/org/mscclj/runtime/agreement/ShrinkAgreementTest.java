package org.mscclj.runtime.agreement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.spi.engine.AbortFlag;

/** Four ranks agree, or do not; however that ends, no two groups form. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShrinkAgreementTest {
    private static final int RANKS = 4;
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final ConcurrentMap<Integer, Object> ends = new ConcurrentHashMap<>();
    private Set<Integer> silent = Set.of();

    /** One call of a rank: the ranks that it goes on with, or what it is thrown. */
    private Object end(Network network, int rank, List<Integer> excluded, Duration timeout) {
        List<Integer> left = IntStream.range(0, RANKS)
                .filter(other -> !excluded.contains(other))
                .boxed()
                .toList();
        ShrinkAgreement agreement = new ShrinkAgreement(
                network.of(rank),
                "shrink, rank " + rank,
                excluded,
                left,
                RunningDeadline.after(timeout),
                ANSWER,
                ranks -> ranks.stream().filter(silent::contains).toList());
        try {
            agreement.meet();
            AbortFlag successor = new AbortFlag();
            agreement.confirm(successor, e -> e);
            agreement.watch(successor); // looks once more, as a thread does that heard something before, and is slow
            agreement.watchNoMore();
            return successor.isSet() ? successor.exception("go on") : left;
        } catch (MsccljException e) {
            return e;
        } finally {
            agreement.giveUp();
        }
    }

    private void run(Network network, Map<Integer, List<Integer>> lists, Duration timeout) throws Exception {
        List<Thread> threads = lists.entrySet().stream()
                .map(list -> Thread.ofPlatform()
                        .start(() -> ends.put(list.getKey(), end(network, list.getKey(), list.getValue(), timeout))))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static Network network() {
        return new Network(RANKS, 0, 0);
    }

    private String message(int rank) {
        return String.valueOf(
                assertInstanceOf(MsccljException.class, ends.get(rank)).getMessage());
    }

    @Test
    void ranksThatCallWithOneListGoOn() throws Exception {
        try (Network network = network()) {
            run(network, Map.of(0, List.of(2), 1, List.of(2), 3, List.of(2)), LONG);
            assertEquals(Map.of(0, List.of(0, 1, 3), 1, List.of(0, 1, 3), 3, List.of(0, 1, 3)), ends);
        }
    }

    @Test
    void differentListsAreToldToAll() throws Exception {
        try (Network network = network()) {
            Thread last = Thread.ofPlatform().start(() -> {
                awaitPhase(network, 2, 0, Stand.Phase.CALLED);
                awaitPhase(network, 2, 1, Stand.Phase.CALLED);
                ends.put(2, end(network, 2, List.of(), LONG));
            });
            run(network, Map.of(0, List.of(3), 1, List.of(3)), LONG);
            last.join();
            for (int rank = 0; rank < 3; rank++) {
                assertInstanceOf(InvalidArgumentException.class, ends.get(rank), () -> ends.toString());
                assertTrue(message(rank).contains("rank 2 without ranks []"), message(rank));
            }
        }
    }

    /** Waits until a rank has heard that another one is as far. */
    private static void awaitPhase(Network network, int rank, int other, Stand.Phase phase) {
        Stands known = network.of(rank);
        while (true) {
            synchronized (known) {
                if (known.of(other).phase() == phase) {
                    return;
                }
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void aListThatLacksALostRankIsRefusedByTheLossAlone() throws Exception {
        try (Network network = network()) {
            network.lose(3);
            run(network, Map.of(0, List.of()), LONG);
            assertEquals(
                    3, assertInstanceOf(RankLostException.class, ends.get(0)).rank());
        }
    }

    /** Ranks 0 and 1 wait until rank 2 knows it as well. */
    @Test
    void aRankThatOthersExcludeAndThatDoesNotAnswerIsNamed() throws Exception {
        silent = Set.of(3);
        try (Network network = network()) {
            Thread second = Thread.ofPlatform().start(() -> {
                Object end = end(network, 2, List.of(), LONG);
                assertEquals(List.of(3), ((OperationTimeoutException) end).missingRanks());
                ends.put(2, end(network, 2, List.of(3), LONG));
            });
            run(network, Map.of(0, List.of(3), 1, List.of(3)), LONG);
            second.join();
            assertEquals(Map.of(0, List.of(0, 1, 2), 1, List.of(0, 1, 2), 2, List.of(0, 1, 2)), ends);
        }
    }

    @Test
    void aRankThatTheOthersExcludeHearsOfIt() throws Exception {
        try (Network network = network()) {
            run(network, Map.of(0, List.of(2), 1, List.of(2), 3, List.of(2), 2, List.of(0)), LONG);
            for (int rank : List.of(0, 1, 3)) {
                assertEquals(List.of(0, 1, 3), ends.get(rank));
            }
            assertInstanceOf(InvalidArgumentException.class, ends.get(2));
            awaitPhase(network, 2, 0, Stand.Phase.FORMED); // before that, another reason refuses the call
            Object later = end(network, 2, List.of(0, 1, 3), LONG); // alone
            assertInstanceOf(InvalidArgumentException.class, later);
            assertTrue(String.valueOf(((MsccljException) later).getMessage()).contains("goes on without ranks [2]"));
            assertTrue(network.of(2).leftBehind().isPresent());
        }
    }

    @Test
    void ofTwoHalvesOneForms() throws Exception {
        try (Network network = network()) {
            run(network, Map.of(0, List.of(2, 3), 1, List.of(2, 3), 2, List.of(0, 1), 3, List.of(0, 1)), LONG);
            boolean first = ends.get(0) instanceof List<?>;
            assertEquals(List.of(first ? 0 : 2, first ? 1 : 3), ends.get(first ? 0 : 2), () -> ends.toString());
            assertEquals(ends.get(first ? 0 : 2), ends.get(first ? 1 : 3), () -> ends.toString());
            assertInstanceOf(InvalidArgumentException.class, ends.get(first ? 2 : 0));
            assertInstanceOf(InvalidArgumentException.class, ends.get(first ? 3 : 1));
        }
    }

    /** Rank 2 is ready before ranks 0 and 1 call, but rank 3 hears of their calls before it hears of that of rank 2. */
    @Test
    void theFirstHalfGoesOnWhenTheOtherOneIsReadyInPart() throws Exception {
        try (Network network = network()) {
            Runnable release = network.hold(2, 3);
            Map<Integer, Thread> threads = new TreeMap<>();
            threads.put(3, call(network, 3, List.of(0, 1)));
            threads.put(2, call(network, 2, List.of(0, 1)));
            awaitPhase(network, 0, 2, Stand.Phase.READY);
            awaitPhase(network, 1, 2, Stand.Phase.READY);
            threads.put(0, call(network, 0, List.of(2, 3)));
            threads.put(1, call(network, 1, List.of(2, 3)));
            threads.get(3).join();
            release.run();
            for (Thread thread : threads.values()) {
                thread.join();
            }
            assertEquals(List.of(0, 1), ends.get(0), () -> ends.toString());
            assertEquals(List.of(0, 1), ends.get(1), () -> ends.toString());
            assertInstanceOf(InvalidArgumentException.class, ends.get(2));
            assertInstanceOf(InvalidArgumentException.class, ends.get(3));
        }
    }

    @Test
    void theFirstHalfIsRefusedOnceTheOtherOneHasFormed() throws Exception {
        try (Network network = network()) {
            Stands of0 = network.of(0);
            Stand ready = Stand.NONE.called(List.of(0, 1)).ready(List.of(1L, 1L));
            of0.heard(1, Stand.NONE.called(List.of(2, 3)), 0, 0);
            of0.heard(2, ready, 0, 0);
            Thread calling = call(network, 0, List.of(2, 3));
            awaitAnswers(of0, calling);
            assertEquals(Stand.Phase.CALLED, phaseOf(of0));
            of0.heard(2, ready.in(Stand.Phase.PREPARED), 0, 0);
            awaitAnswers(of0, calling);
            assertEquals(Stand.Phase.CALLED, phaseOf(of0));
            of0.heard(2, ready.in(Stand.Phase.PREPARED).in(Stand.Phase.FORMED), 0, 0);
            calling.join();
            assertInstanceOf(InvalidArgumentException.class, ends.get(0));
            assertTrue(message(0).contains("rank 2 goes on without ranks [0, 1]"), message(0));
        }
    }

    @Test
    void theFirstHalfIsRefusedIfTheOtherOneHasNotEndedInTime() throws Exception {
        try (Network network = network()) {
            Stands of0 = network.of(0);
            of0.heard(1, Stand.NONE.called(List.of(2, 3)), 0, 0);
            of0.heard(2, Stand.NONE.called(List.of(0, 1)).ready(List.of(1L, 1L)), 0, 0);
            ends.put(0, end(network, 0, List.of(2, 3), Duration.ofMillis(100)));
            assertInstanceOf(InvalidArgumentException.class, ends.get(0));
            assertTrue(message(0).contains("rank 2, which is excluded here, calls with others"), message(0));
        }
    }

    private Thread call(Network network, int rank, List<Integer> excluded) {
        return Thread.ofPlatform().start(() -> ends.put(rank, end(network, rank, excluded, LONG)));
    }

    /** Waits until all others have answered the first question of a rank, and its thread has seen that and waits. */
    private static void awaitAnswers(Stands stands, Thread calling) {
        while (true) {
            synchronized (stands) {
                if (calling.getState() == Thread.State.TIMED_WAITING
                        && IntStream.range(1, RANKS).allMatch(other -> stands.hasAnswered(other, 1))) {
                    return;
                }
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void aRankThatGivesUpMakesAllGiveUp() throws Exception {
        try (Network network = network()) {
            Thread leaving = Thread.ofPlatform().start(() -> {
                ShrinkAgreement agreement = new ShrinkAgreement(
                        network.of(3),
                        "shrink",
                        List.of(2),
                        List.of(0, 1, 3),
                        RunningDeadline.after(LONG),
                        ANSWER,
                        _ -> List.of());
                agreement.meet();
                awaitPhase(network, 3, 0, Stand.Phase.PREPARED);
                awaitPhase(network, 3, 1, Stand.Phase.PREPARED);
                agreement.giveUp();
            });
            run(network, Map.of(0, List.of(2), 1, List.of(2)), LONG);
            leaving.join();
            for (int rank = 0; rank < 2; rank++) {
                assertInstanceOf(AbortedException.class, ends.get(rank));
                assertTrue(message(rank).contains(" is alive, and has given up, since "), message(rank));
            }
        }
    }

    /** Rank 1 has seen that both were ready, and gives up before rank 0 looks again. */
    @Test
    void aRankThatHasNotSeenThatAllHadMetGivesUpAsWell() throws Exception {
        try (Network network = network()) {
            Thread calling = Thread.ofPlatform().start(() -> ends.put(0, end(network, 0, List.of(2, 3), LONG)));
            Stands of0 = network.of(0);
            Stand called = Stand.NONE.called(List.of(2, 3));
            of0.heard(1, called, 0, 0);
            while (phaseOf(of0) != Stand.Phase.READY) {
                Thread.onSpinWait();
            }
            of0.heard(1, called.ready(List.of(1L, 1L)).in(Stand.Phase.QUIT), 0, 0);
            calling.join();
            assertInstanceOf(AbortedException.class, ends.get(0));
            assertTrue(
                    message(0).contains("rank 1 is alive, and has given up, since its call was interrupted"),
                    message(0));
        }
    }

    private static Stand.Phase phaseOf(Stands stands) {
        synchronized (stands) {
            return stands.own().phase();
        }
    }

    @Test
    void anInterruptedThreadDoesNotMeetRanksThatAreReady() throws Exception {
        try (Network network = network()) {
            Stands of0 = network.of(0);
            of0.heard(1, Stand.NONE.called(List.of(2, 3)).ready(List.of(1L, 1L)), 0, 0);
            of0.lost(2, "its process has ended");
            of0.lost(3, "its process has ended");
            Thread.currentThread().interrupt();
            ends.put(0, end(network, 0, List.of(2, 3), LONG));
            assertTrue(Thread.interrupted());
            assertInstanceOf(AbortedException.class, ends.get(0));
            assertEquals(Stand.Phase.NONE, phaseOf(of0));
        }
    }

    @Test
    void ranksThatDoNotCallAreNamed() throws Exception {
        silent = Set.of(3);
        try (Network network = network()) {
            run(network, Map.of(0, List.of(2)), Duration.ofMillis(100));
            OperationTimeoutException e = assertInstanceOf(OperationTimeoutException.class, ends.get(0));
            assertEquals(List.of(3), e.missingRanks());
            assertEquals(
                    "shrink, rank 0: waited for ranks [1, 3], which did not call it with the same excluded ranks within"
                            + " 100 ms (rank 0 without ranks [2]); of these, ranks [3] do not answer; call again, or"
                            + " exclude them too",
                    e.getMessage());
        }
    }

    /**
     * Rank 3 is killed while it says things: some ranks have heard more than others. The survivors all go on with it,
     * or none does.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRankThatIsKilledMeanwhileDividesNobody(long seed) throws Exception {
        for (int messages = 0; messages < 24; messages++) {
            ends.clear();
            String words = "seed " + seed + ", " + messages + " messages";
            try (Network network = new Network(RANKS, seed + messages, 200_000)) {
                network.killAfter(3, messages);
                Thread killed = Thread.ofPlatform().daemon().start(() -> {
                    Object _ = end(network, 3, List.of(2), LONG);
                });
                run(network, Map.of(0, List.of(2), 1, List.of(2)), LONG);
                killed.interrupt();
                assertEquals(ends.get(0) instanceof List<?>, ends.get(1) instanceof List<?>, () -> words + ": " + ends);
            }
        }
    }

    /** Lists of all kinds, over slow links: at most one group forms, and all of its members are in it. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void noTwoGroupsForm(long seed) throws Exception {
        Random random = new Random(seed);
        for (int attempt = 0; attempt < 30; attempt++) {
            ends.clear();
            Map<Integer, List<Integer>> lists = new TreeMap<>();
            for (int rank = 0; rank < RANKS; rank++) {
                int own = rank;
                List<Integer> excluded = switch (random.nextInt(3)) {
                    case 0 ->
                        IntStream.range(0, RANKS)
                                .filter(other -> other != own && random.nextBoolean())
                                .boxed()
                                .toList();
                    case 1 -> rank < 2 ? List.of(2, 3) : List.of(0, 1);
                    default ->
                        IntStream.range(0, RANKS)
                                .filter(other -> other != own)
                                .boxed()
                                .toList();
                };
                lists.put(rank, excluded);
            }
            try (Network network = new Network(RANKS, seed + attempt, 1_000_000)) {
                run(network, lists, Duration.ofMillis(400));
            }
            Set<Object> groups =
                    ends.values().stream().filter(List.class::isInstance).collect(Collectors.toSet());
            String words = "seed " + seed + ", attempt " + attempt + ": " + lists + " gives " + ends;
            assertTrue(groups.size() <= 1, words);
            groups.forEach(group -> ((List<?>) group).forEach(member -> assertEquals(group, ends.get(member), words)));
        }
    }
}
