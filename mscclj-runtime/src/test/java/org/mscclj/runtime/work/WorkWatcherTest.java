package org.mscclj.runtime.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkWatcherTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int WORKS = 50;

    @Test
    void futuresEndWithTheirWorks() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(3).timeout(LIMIT))) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                List<CompletableFuture<Void>> futures = new ArrayList<>();
                List<Work> works = new ArrayList<>();
                for (int i = 0; i < WORKS; i++) {
                    Work work = communicator.execute(CollectiveCall.allReduce(memory, DataType.INT8));
                    works.add(work);
                    futures.add(work.toCompletableFuture());
                }
                CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                        .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertTrue(works.stream().allMatch(Work::isCompleted));
                communicator.barrier();
            });
        }
    }

    @Test
    void oneThreadCompletesThemAll() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(LIMIT))) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                CollectiveCall call = CollectiveCall.allReduce(memory, DataType.INT8);
                communicator.execute(call).join();
                if (communicator.rank() == 0) {
                    CompletableFuture<String> completing = communicator
                            .execute(call)
                            .toCompletableFuture()
                            .thenApply(_ -> Thread.currentThread().getName());
                    communicator.barrier(); // only now the other one launches
                    assertEquals("mscclj-work-watcher", completing.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
                } else {
                    communicator.barrier();
                    communicator.execute(call).join();
                }
                communicator.barrier();
            });
        }
    }

    @Test
    void cancellingAFutureLeavesTheWorkAlone() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(LIMIT))) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                CollectiveCall call = CollectiveCall.allReduce(memory, DataType.INT8);
                communicator.execute(call).join();
                if (communicator.rank() == 0) {
                    Work work = communicator.execute(call);
                    CompletableFuture<Void> future = work.toCompletableFuture();
                    assertTrue(future.cancel(true));
                    assertFalse(communicator.isAborted());
                    communicator.barrier();
                    work.join();
                } else {
                    communicator.barrier();
                    communicator.execute(call).join();
                }
                communicator.barrier();
            });
        }
    }

    @Test
    void anAbortEndsFuturesExceptionally() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(LIMIT))) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                CollectiveCall call = CollectiveCall.allReduce(memory, DataType.INT8);
                communicator.execute(call).join();
                communicator.barrier();
                if (communicator.rank() == 0) {
                    CompletableFuture<Void> future = communicator.execute(call).toCompletableFuture();
                    communicator.abort("on purpose");
                    ExecutionException e = assertThrows(
                            ExecutionException.class, () -> future.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
                    assertInstanceOf(AbortedException.class, e.getCause());
                }
            });
        }
    }

    /** The time is that of joining; the operation goes on. */
    @Test
    void theTimeoutOfACallEndsItsFuture() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(LIMIT))) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                CollectiveCall call = CollectiveCall.allReduce(memory, DataType.INT8);
                communicator.execute(call).join();
                if (communicator.rank() == 0) {
                    Work work = communicator.execute(call.timeout(Duration.ofMillis(300)));
                    CompletableFuture<Void> future = work.toCompletableFuture();
                    CompletableFuture<String> completing =
                            future.handle((_, _) -> Thread.currentThread().getName());
                    // first: a thread that gets the future itself may run what depends on it
                    assertEquals("mscclj-work-watcher", completing.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
                    ExecutionException e = assertThrows(
                            ExecutionException.class, () -> future.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
                    OperationTimeoutException late = assertInstanceOf(OperationTimeoutException.class, e.getCause());
                    assertEquals(List.of(1), late.missingRanks(), late::getMessage);
                    assertTrue(String.valueOf(late.getMessage()).contains("not ended after 300 ms"), late::getMessage);
                    assertFalse(communicator.isAborted());
                    communicator.barrier();
                    work.join(LIMIT);
                } else {
                    communicator.barrier();
                    communicator.execute(call).join();
                }
                communicator.barrier();
            });
        }
    }

    /** A work of a device that has failed: it never ends. */
    private static final class Endless implements AbortableWork {
        @Override
        public boolean isAborted() {
            return true;
        }

        @Override
        public boolean isInVain() {
            return false;
        }

        @Override
        public boolean isCompleted() {
            return false;
        }

        @Override
        public Duration timeout() {
            return LIMIT;
        }

        @Override
        public MsccljException late(Duration waited) {
            throw new UnsupportedOperationException("the abort comes first");
        }

        @Override
        public void await(Stream stream) {
            throw new UnsupportedOperationException("nothing is ordered after it");
        }

        @Override
        public void join() {
            join(LIMIT);
        }

        @Override
        public void join(Duration timeout) {
            throw new AbortedException("the communicator was aborted");
        }

        @Override
        public String algorithm() {
            return "none";
        }

        @Override
        public long sequence() {
            return 1;
        }
    }

    @Test
    void anAbortEndsFuturesOfADeviceThatHasFailed() {
        CompletableFuture<Void> future = WorkWatcher.OF_PROCESS.watch(new Endless());
        ExecutionException e =
                assertThrows(ExecutionException.class, () -> future.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertInstanceOf(AbortedException.class, e.getCause());
    }
}
