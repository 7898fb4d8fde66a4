package org.mscclj.gpu.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.OtherCapture;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInBackend;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

/** How far launches are that tell nobody, as replays of graphs. */
@ResourceLock(StandIn.RESOURCE)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LaunchQueueTest {
    private final LaunchOrder order = new LaunchOrder();
    private final AbortFlag abort = new AbortFlag();
    private StandInBackend backend;
    private BackendDevice device;
    private DeviceContext context;
    private Stream stream;
    private LaunchQueue queue;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        backend = new StandInBackend();
        device = backend.openDevice(0);
        context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
        stream = device.createStream();
        queue = new LaunchQueue(device, context, order, abort);
    }

    @AfterEach
    void close() {
        StandIn.unready(0);
        queue.close();
        stream.close();
        context.close();
        device.close();
        backend.close();
    }

    private void replay() {
        replay(true);
    }

    private void replay(boolean shared) {
        GpuStream cuda = GpuStream.of(stream);
        queue.awaitCapacity(1);
        queue.lock().lock();
        try {
            queue.follow(cuda);
            queue.beginReplay(cuda, shared);
            queue.markReplay();
        } finally {
            queue.lock().unlock();
        }
    }

    @Test
    void replaysHaveEndedWhenAMarkBehindThemIsReached() {
        replay();
        replay();
        assertEquals(0, order.endedCount());
        StandIn.unready(-1);
        order.look();
        assertEquals(0, order.endedCount(), "they are at work");
        StandIn.unready(0);
        order.look();
        assertEquals(1, order.endedCount(), "the mark is behind the first");
        order.look();
        assertEquals(2, order.endedCount());
    }

    @Test
    void oneAfterTheOtherEndsThoughTheStreamIsNeverIdle() {
        replay();
        replay();
        order.look();
        assertEquals(1, order.endedCount(), "the mark is behind the first");
        replay();
        order.look();
        assertEquals(2, order.endedCount());
    }

    @Test
    void replaysOfMessagesAreNotCountedAmongWhatAllRanksLaunch() {
        replay();
        replay(false);
        assertEquals(2, order.taken());
        assertEquals(1, order.shared());
    }

    @Test
    void nobodyEverSeesReplaysOfMessagesAmongWhatAllRanksLaunch() throws Exception {
        AtomicLong seen = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        Thread peer = Thread.ofPlatform().daemon().start(() -> {
            while (!over.get()) {
                seen.accumulateAndGet(order.shared(), Math::max);
            }
        });
        try {
            for (int i = 0; i < 20_000; i++) {
                replay(false);
            }
        } finally {
            over.set(true);
        }
        peer.join();
        assertEquals(0, seen.get());
        assertEquals(0, order.shared());
    }

    @Test
    void whatIsOnAClosedStreamHasEnded() {
        replay();
        stream.close();
        order.look();
        assertEquals(1, order.endedCount());
    }

    @Test
    void nobodyAsksAQueueThatIsClosed() {
        replay();
        queue.close();
        order.look();
        assertEquals(0, order.endedCount());
        queue = new LaunchQueue(device, context, order, abort);
    }

    /** The thread that launches may be kept in the driver, for as long as a rank is missing. */
    @Test
    void whoLooksDoesNotWaitForWhoLaunches() throws InterruptedException {
        replay();
        CountDownLatch launching = new CountDownLatch(1);
        CountDownLatch looked = new CountDownLatch(1);
        Thread launcher = Thread.ofPlatform().start(() -> {
            queue.lock().lock();
            try {
                launching.countDown();
                looked.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                queue.lock().unlock();
            }
        });
        launching.await();
        order.look();
        assertEquals(0, order.endedCount(), "nothing is known meanwhile");
        looked.countDown();
        launcher.join();
        order.look();
        order.look();
        assertEquals(1, order.endedCount());
    }

    /** Otherwise the driver would keep them, with the lock. */
    @Test
    void launchesWaitForRoomUntilEarlierOnesHaveEndedOrAnAbort() throws InterruptedException {
        StandIn.unready(-1);
        for (int launch = 0; launch < 512; launch++) {
            replay();
        }
        Thread oneMore = Thread.ofPlatform().daemon().start(this::replay);
        awaitParked(oneMore);
        assertEquals(512, order.taken());
        StandIn.unready(0);
        oneMore.join();
        assertEquals(513, order.taken());
        order.look();
        order.look();
        assertEquals(513, order.endedCount());
        StandIn.unready(-1);
        for (int launch = 0; launch < 512; launch++) {
            replay();
        }
        Thread another = Thread.ofPlatform().daemon().start(this::replayIfAllowed);
        awaitParked(another);
        abort.set("on purpose");
        another.join();
        assertEquals(1025, order.taken());
    }

    private void replayIfAllowed() {
        try {
            replay();
        } catch (AbortedException | InvalidArgumentException _) {
            // it has not waited for ever
        }
    }

    @Test
    void nobodyWaitsForRoomOnceNothingMayBeLaunched() throws InterruptedException {
        StandIn.unready(-1);
        for (int launch = 0; launch < 512; launch++) {
            replay();
        }
        Thread oneMore = Thread.ofPlatform().daemon().start(this::replayIfAllowed);
        awaitParked(oneMore);
        queue.refuseReplays();
        oneMore.join();
        assertEquals(512, order.taken());
    }

    @Test
    void aThreadThatIsInterruptedFindsRoomToo() {
        StandIn.unready(-1);
        for (int launch = 0; launch < 512; launch++) {
            replay();
        }
        StandIn.unready(0);
        Thread.currentThread().interrupt();
        replay();
        assertTrue(Thread.interrupted());
        assertEquals(513, order.taken());
    }

    /** The driver counts kernels, of which a launch may have many. */
    @Test
    void launchesOfManyKernelsTakeAsMuchRoom() throws InterruptedException {
        StandIn.unready(-1);
        launch(300);
        launch(200);
        Thread third = Thread.ofPlatform().daemon().start(() -> launch(13));
        awaitParked(third);
        assertEquals(2, order.taken());
        StandIn.unready(0);
        third.join();
        assertEquals(3, order.taken());
        order.look();
        order.look();
        launch(10_000); // more than there is ever room for, but nothing else is in flight
        assertEquals(4, order.taken());
    }

    private void launch(long kernels) {
        queue.awaitCapacity(kernels);
        queue.lock().lock();
        try {
            queue.begin(GpuStream.of(stream), true, kernels);
        } finally {
            queue.lock().unlock();
        }
    }

    /** Windows come and go while others wait for messages. */
    @Test
    void wordsMayBeForgottenWhileTheyAreLookedAt() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (HostWords words = new HostWords(device)) {
            AbortWord first = new AbortWord(0, abort, words);
            AbortWord second = new AbortWord(0, abort, words);
            queue.requests().add(first);
            Thread looking = Thread.ofPlatform().daemon().start(() -> {
                try {
                    while (!over.get()) {
                        queue.requests().poll();
                    }
                } catch (RuntimeException e) {
                    failure.set(e);
                }
            });
            for (int i = 0; i < 20_000; i++) {
                queue.requests().add(second);
                queue.requests().remove(second);
            }
            over.set(true);
            looking.join();
            queue.requests().remove(first);
            first.close();
            second.close();
        }
        assertNull(failure.get());
    }

    private static void awaitParked(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(thread.isAlive());
            Thread.onSpinWait();
        }
    }

    /** Who looks ends the communicator, if it fails again. */
    @Test
    void aGpuThatFailsIsTold() {
        replay();
        StandIn.fail("cuEventQuery", 1);
        assertThrows(BackendException.class, order::look);
        assertFalse(queue.lock().isLocked());
        order.look();
        assertEquals(1, order.endedCount());
    }

    /** Another thread has begun to capture the stream between the question whether somebody does and the mark. */
    @Test
    void aMarkThatACaptureHasIsForgotten() {
        launch(1);
        try (OtherCapture _ = new OtherCapture(context, stream)) {
            StandIn.fail("cuStreamIsCapturing", 1);
            order.look();
        }
        assertEquals(0, order.endedCount());
        order.look();
        order.look();
        assertEquals(1, order.endedCount());
    }

    @Test
    void lookingBreaksNoCaptureOfOtherSoftware() {
        replay();
        try (Stream other = device.createStream();
                OtherCapture _ = new OtherCapture(context, other)) {
            order.look();
            order.look();
            assertEquals(1, order.endedCount());
            assertTrue(queue.isIdle());
        }
    }

    @Test
    void aQueueThatCannotBeMadeLeavesNothing() {
        try (BackendDevice second = backend.openDevice(1);
                DeviceContext its = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1))) {
            Map<StandIn.Kind, Long> idle = StandIn.live();
            for (int event = 0; event < 3; event++) {
                StandIn.fail("cuEventCreate", event, 1);
                assertThrows(BackendException.class, () -> new LaunchQueue(second, its, order, abort));
                assertEquals(idle.get(StandIn.Kind.EVENTS), StandIn.live().get(StandIn.Kind.EVENTS), "event " + event);
            }
            StandIn.fail("cuMemCreate", 2);
            assertThrows(BackendException.class, () -> new LaunchQueue(second, its, order, abort));
            assertEquals(idle.get(StandIn.Kind.EVENTS), StandIn.live().get(StandIn.Kind.EVENTS));
            assertEquals(idle.get(StandIn.Kind.HANDLES), StandIn.live().get(StandIn.Kind.HANDLES));
        }
    }
}
