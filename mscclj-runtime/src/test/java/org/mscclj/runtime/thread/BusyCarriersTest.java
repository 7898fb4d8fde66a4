package org.mscclj.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Stores;
import org.mscclj.api.UniqueId;
import org.mscclj.api.Work;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.bootstrap.StoreServer;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.store.StoreKind;

/**
 * Ranks that meet as processes do, while virtual threads of the application keep all carriers busy. By itself, since no
 * virtual thread of other tests would make progress.
 */
@Isolated
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BusyCarriersTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(4);
    private static final Duration SOON = Duration.ofSeconds(2);

    private BusyCarriers busy;

    @BeforeEach
    void occupy() throws InterruptedException {
        busy = new BusyCarriers();
    }

    @AfterEach
    void free() {
        busy.close();
    }

    /** What one rank does with its communicator. */
    @FunctionalInterface
    private interface CommunicatorTask {
        void run(Communicator communicator) throws Exception;
    }

    private static void open(int size, int ranksPerNode, Duration timeout, CommunicatorTask task) throws Exception {
        UniqueId id = UniqueId.create();
        RankThreads.run(size, rank -> {
            try (Communicator communicator = Communicator.open(CommunicatorOptions.rank(rank, size)
                    .ranksPerNode(ranksPerNode)
                    .uniqueId(id)
                    .timeout(timeout))) {
                task.run(communicator);
            }
        });
    }

    private static void soon(String what, CommunicatorTask task, Communicator communicator) throws Exception {
        long before = System.nanoTime();
        task.run(communicator);
        Duration took = Duration.ofNanos(System.nanoTime() - before);
        assertTrue(took.compareTo(SOON) < 0, () -> what + " took " + took);
    }

    @Test
    void ranksMeetAllocateSplitShrinkAndClose() throws Exception {
        open(3, 3, LIMIT, communicator -> {
            communicator.barrier();
            try (DeviceBuffer buffer = communicator.allocate(64);
                    Communicator child =
                            communicator.split(List.of(0, 1, 2), "child").orElseThrow()) {
                child.allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM).join();
            }
            try (Communicator left = communicator.shrink(List.of())) {
                left.barrier();
            }
            soon("closing", Communicator::close, communicator);
        });
    }

    @Test
    void ranksOfSeveralNodesReachEachOther() throws Exception {
        open(2, 1, LIMIT, communicator -> {
            try (DeviceBuffer buffer = communicator.allocate(64)) {
                communicator
                        .allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM)
                        .join();
            }
            communicator.barrier();
        });
    }

    @Test
    void abortsReachAllRanks() throws Exception {
        CyclicBarrier met = new CyclicBarrier(3);
        open(3, 3, LIMIT, communicator -> {
            met.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (communicator.rank() == 1) {
                communicator.abort("had enough");
            } else {
                soon("an abort", c -> assertThrows(AbortedException.class, () -> barriers(c)), communicator);
            }
        });
    }

    private static void barriers(Communicator communicator) {
        while (true) {
            communicator.barrier();
        }
    }

    @Test
    void closedRanksAreNamed() throws Exception {
        open(3, 3, LIMIT, communicator -> {
            communicator.barrier();
            if (communicator.rank() != 2) {
                soon("the end of a rank", c -> assertThrows(RankLostException.class, c::barrier), communicator);
            }
        });
    }

    @Test
    void ranksThatAreLateAreNamed() throws Exception {
        CyclicBarrier met = new CyclicBarrier(2);
        open(2, 2, SHORT, communicator -> {
            try (DeviceBuffer buffer = communicator.allocate(64)) {
                communicator
                        .allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM)
                        .join();
                if (communicator.rank() == 0) {
                    Work work = communicator.allReduce(buffer, buffer, DataType.INT32, ReduceOp.SUM);
                    CompletableFuture<Void> future = work.toCompletableFuture();
                    ExecutionException e = assertThrows(
                            ExecutionException.class, () -> future.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
                    OperationTimeoutException late = (OperationTimeoutException) Objects.requireNonNull(e.getCause());
                    assertEquals(List.of(1), late.missingRanks(), late::getMessage);
                    met.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
                    communicator.abort("enough");
                    assertThrows(MsccljException.class, work::join); // from then on the buffer is not in use
                } else {
                    met.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
                    communicator.abort("enough");
                }
            }
        });
    }

    @Test
    void ranksThatDoNotComeAreNamed() {
        OperationTimeoutException e = assertThrows(
                OperationTimeoutException.class,
                () -> Communicator.open(CommunicatorOptions.rank(0, 2)
                        .uniqueId(UniqueId.create())
                        .timeout(Duration.ofMillis(500))));
        assertEquals(List.of(1), e.missingRanks());
    }

    @Test
    void storesServe() throws Exception {
        try (StoreServer server = Stores.serve(StoreKind.loopback("sehr geheimer Text"));
                Store store = Stores.tcp(server.address(), LIMIT)) {
            store.set("key", new byte[] {1, 2, 3});
            assertArrayEquals(new byte[] {1, 2, 3}, store.get("key", LIMIT));
            assertFalse(store.find("other").isPresent());
        }
    }
}
