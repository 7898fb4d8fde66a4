package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.bootstrap.RankThreads;

/**
 * A rank that is a process of its own is killed: the communicators that it is in end, and the one that it is not in
 * goes on. It is no thread that cuts its connections, one after the other: such a rank takes the first that it cuts for
 * the loss of a peer, and may tell of that over the next.
 */
@Isolated // a second is all that a loss may take to be known
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChildrenOfLostRanksTest {
    private static final int RANKS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long UNTIL_OTHERS_WAIT_NANOS = 100_000_000;

    private static void assertLost(int rank, Runnable call) {
        RankLostException e = assertThrows(RankLostException.class, call::run);
        assertEquals(rank, e.rank(), e::getMessage);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void whatTheyAreNotInGoesOn(int victim) throws Exception {
        int partner = victim == 0 ? 1 : 0;
        int third = RANKS - victim - partner;
        String job = "test-" + UUID.randomUUID();
        Process process = ModuleJvm.start(
                PairUntilKilled.class,
                job,
                Integer.toString(victim),
                Integer.toString(RANKS),
                Integer.toString(partner));
        AtomicLong killed = new AtomicLong();
        // a barrier of ranks may fail where a loss overtakes the last arrival
        CyclicBarrier met = new CyclicBarrier(
                2,
                () -> Thread.ofPlatform().start(() -> {
                    LockSupport.parkNanos(UNTIL_OTHERS_WAIT_NANOS);
                    killed.set(System.nanoTime());
                    process.destroyForcibly();
                }));
        try {
            RankThreads.run(2, survivor -> {
                int rank = survivor == 0 ? partner : third;
                try (Communicator world = Communicator.open(
                        CommunicatorOptions.rank(rank, RANKS).job(job).timeout(LIMIT))) {
                    Optional<Communicator> pair =
                            world.split(rank == third ? List.of() : List.of(victim, partner), "pair");
                    Communicator survivors =
                            world.split(List.of(partner, third), "survivors").orElseThrow();
                    Optional<PreparedOperation> operation = pair.map(PairUntilKilled::prepare);
                    world.barrier();
                    met.await(LIMIT.toSeconds(), TimeUnit.SECONDS);

                    operation.ifPresentOrElse(
                            prepared -> assertLost(0, () -> prepared.run(LIMIT)),
                            () -> assertLost(victim, world::barrier));
                    assertTrue(System.nanoTime() - killed.get() < 1_000_000_000, "a loss took more than a second");
                    assertLost(victim, world::barrier);
                    assertLost(victim, () -> world.allocate(8));
                    for (int i = 0; i < 10; i++) {
                        survivors.barrier();
                    }
                    assertEquals(survivor, survivors.rank());
                    survivors.close();
                    operation.ifPresent(PreparedOperation::close);
                    pair.ifPresent(Communicator::close);
                }
            });
        } finally {
            process.destroyForcibly();
        }
    }
}
