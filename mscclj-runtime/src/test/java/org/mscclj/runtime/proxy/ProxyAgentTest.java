package org.mscclj.runtime.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.proxy.RecordingConnection.FakeMemory;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.engine.AbortCause;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.proxy.TriggerFifo;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProxyAgentTest {
    private static final long WINDOW = 1L << 32;
    private static final FakeMemory SOURCE = new FakeMemory("source", 3 * WINDOW);
    private static final FakeMemory TARGET = new FakeMemory("target", 3 * WINDOW);
    private static final FakeMemory COUNTERS = new FakeMemory("counters", 1024);

    private final Backend backend = HostRank.openBackend();
    private final ProxyService service = new ProxyService("test-proxy");
    private final List<String> log = RecordingConnection.newLog();
    private final List<String> faults = RecordingConnection.newLog();
    private final AbortFlag abort = new AbortFlag();
    private final RecordingConnection left = new RecordingConnection("left", log);
    private final RecordingConnection right = new RecordingConnection("right", log);
    private final ProxyAgent agent = open(Duration.ofSeconds(30));
    private final TriggerFifo fifo = agent.fifo();
    private final int source = agent.addLocalMemory(SOURCE);
    private final int target = agent.addRemoteMemory(TARGET);
    private final int leftId = agent.addSemaphore(7, left, COUNTERS, 0);
    private final int rightId = agent.addSemaphore(7, right, COUNTERS, 128);

    private ProxyAgent open(Duration timeout) {
        return service.open(new ProxyAgentSpec(
                "rank 0 of test", backend.openDevice(0), 64, false, timeout, abort, (lost, reason) -> {
                    FaultHandler.of(abort).failed(lost, reason);
                    faults.add(reason); // which tests wait for
                }));
    }

    @AfterEach
    void close() {
        abort.set("the test is over");
        service.close();
        backend.close();
    }

    private long push(int semaphore, int type, long from, long to, long bytes) {
        return fifo.tryPush(
                Trigger.word0(bytes, Trigger.windowOffset(from)),
                Trigger.word1(
                        Trigger.windowOffset(to),
                        source + Trigger.windowIndex(from),
                        target + Trigger.windowIndex(to),
                        type,
                        semaphore));
    }

    private void awaitFlushed(int semaphore, long position) {
        while (fifo.flushed(semaphore) <= position) {
            Thread.onSpinWait();
        }
    }

    /** Returns when the proxy has taken everything and looked at it at least once. */
    private void awaitTaken() {
        while (!fifo.isEmpty()) {
            Thread.onSpinWait();
        }
        int looks = 0;
        while (looks < 3) {
            agent.doWork();
            looks++;
        }
    }

    @Test
    void triggersAreCarriedOutInOrder() {
        push(leftId, Trigger.DATA, 8, 16, 24);
        push(rightId, Trigger.SIGNAL, 0, 0, 0);
        long last = push(leftId, Trigger.DATA | Trigger.SIGNAL | Trigger.FLUSH, 0, WINDOW + 4, 8);
        awaitFlushed(leftId, last);
        assertEquals(
                List.of(
                        "left: write source+8 to target+16, 24 bytes",
                        "right: signal counters+128",
                        "left: write source+0 to target+" + (WINDOW + 4) + ", 8 bytes",
                        "left: signal counters+0"),
                log);
        assertEquals(0, fifo.flushed(rightId));
    }

    @Test
    void rangesMayReachPastTheirWindowButNotPastTheMemory() {
        long flushed = push(leftId, Trigger.DATA | Trigger.FLUSH, 2 * WINDOW - 8, 3 * WINDOW - 16, 16);
        awaitFlushed(leftId, flushed);
        assertEquals(
                "left: write source+" + (2 * WINDOW - 8) + " to target+" + (3 * WINDOW - 16) + ", 16 bytes",
                log.getFirst());
        push(leftId, Trigger.DATA, 0, 3 * WINDOW - 16, 17);
        assertTrue(awaitFault().contains("the destination has only 16 bytes from there"), faults.toString());
    }

    private String awaitFault() {
        while (faults.isEmpty()) {
            Thread.onSpinWait();
        }
        return faults.getFirst();
    }

    @Test
    void aFlushWaitsForItsOwnConnectionOnly() {
        left.hold();
        long leftFlush = push(leftId, Trigger.DATA | Trigger.FLUSH, 0, 0, 8);
        long rightFlush = push(rightId, Trigger.DATA | Trigger.FLUSH, 0, 0, 8);
        awaitFlushed(rightId, rightFlush);
        awaitTaken();
        assertEquals(0, fifo.flushed(leftId));
        left.complete(1);
        awaitFlushed(leftId, leftFlush);
        assertEquals(leftFlush + 1, fifo.flushed(leftId));
    }

    @Test
    void manyFlushesOfOneSemaphoreAreAnsweredInOrderAndTogether() {
        left.hold();
        long first = push(leftId, Trigger.DATA | Trigger.FLUSH, 0, 0, 8);
        long second = push(leftId, Trigger.DATA | Trigger.FLUSH, 0, 0, 8);
        long third = push(leftId, Trigger.DATA | Trigger.FLUSH, 0, 0, 8);
        awaitTaken();
        left.complete(1);
        awaitFlushed(leftId, first);
        awaitTaken();
        assertEquals(first + 1, fifo.flushed(leftId), "the later ones wait for their own transfers");
        left.complete(2); // the second is answered with the third, which stands for both
        awaitTaken();
        assertEquals(first + 1, fifo.flushed(leftId));
        left.complete(3);
        awaitFlushed(leftId, third);
        assertTrue(second < third);
    }

    @Test
    void aFlushWithNothingInFlightIsAnsweredAtOnce() {
        awaitFlushed(leftId, push(leftId, Trigger.FLUSH, 0, 0, 0));
        left.hold();
        awaitFlushed(leftId, push(leftId, Trigger.FLUSH, 0, 0, 0));
    }

    @Test
    void aPushWakesTheProxyEveryTime() {
        for (int i = 0; i < 20; i++) {
            while (service.threadState() != Thread.State.WAITING) {
                Thread.onSpinWait(); // asleep without a limit: only a push can wake it
            }
            awaitFlushed(rightId, push(rightId, Trigger.SIGNAL | Trigger.FLUSH, 0, 0, 0));
        }
        assertEquals(20, log.size());
    }

    @Test
    void noWakeUpIsLostWhenPushesRaceWithFallingAsleep() {
        for (int i = 0; i < 20_000; i++) {
            long position = push(rightId, Trigger.FLUSH, 0, 0, 0);
            awaitFlushed(rightId, position);
            for (int pause = i % 400; pause > 0; pause--) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void badTriggersFaultTheCommunicatorAndNotTheProxy() {
        List<String> reasons = new ArrayList<>();
        long[][] bad = {
            {Trigger.word0(8, 0), Trigger.word1(0, 0, 0, Trigger.DATA, 1023)},
            {Trigger.word0(8, 0), Trigger.word1(0, 511, 0, Trigger.DATA, leftId)},
            {Trigger.word0(8, 0), Trigger.word1(0, 0, 511, Trigger.DATA, leftId)},
            {Trigger.word0((1L << 32) - 1, WINDOW - 1), Trigger.word1(0, 2, 0, Trigger.DATA, leftId)},
            {Trigger.word0(8, 0), Trigger.word1(WINDOW - 7, 0, 2, Trigger.DATA, leftId)},
            {0, Trigger.word1(0, 0, 0, 0, leftId)},
        };
        for (long[] words : bad) {
            AbortFlag own = new AbortFlag();
            try (ProxyAgent other = service.open(new ProxyAgentSpec(
                    "rank 1 of test",
                    backend.openDevice(1),
                    8,
                    false,
                    Duration.ofSeconds(5),
                    own,
                    FaultHandler.of(own)))) {
                other.addLocalMemory(SOURCE);
                other.addRemoteMemory(TARGET);
                assertEquals(0, other.addSemaphore(7, left, COUNTERS, 0));
                other.fifo().tryPush(words[0], words[1]);
                while (!own.isSet()) {
                    Thread.onSpinWait();
                }
                reasons.add(own.reason().orElseThrow());
                // what follows is dropped, so that pushers are not held up
                for (int i = 0; i < 100; i++) {
                    while (other.fifo().tryPush(words[0], words[1]) < 0) {
                        Thread.onSpinWait();
                    }
                }
            }
        }
        List<String> expected = List.of(
                "semaphore is not known",
                "source memory is not known",
                "destination memory is not known",
                "source has only",
                "destination has only",
                "asks for nothing");
        for (int i = 0; i < bad.length; i++) {
            assertTrue(reasons.get(i).contains(expected.get(i)), reasons.get(i));
            assertTrue(reasons.get(i).startsWith("proxy of rank 1 of test: trigger 0 ("), reasons.get(i));
        }
        awaitFlushed(leftId, push(leftId, Trigger.FLUSH, 0, 0, 0));
        assertEquals(List.of(), log);
    }

    @Test
    void aConnectionThatHasFailedMeansThatItsPeerIsLost() {
        push(leftId, Trigger.SIGNAL, 0, 0, 0); // which goes well
        left.lose();
        push(leftId, Trigger.SIGNAL, 0, 0, 0);
        assertTrue(awaitFault().contains("a transfer to rank 7 failed: "), faults.toString());
        assertEquals(OptionalInt.of(7), abort.lostRank());
    }

    @Test
    void aTransportThatThrowsFaultsTheCommunicatorAndNotTheProxy() {
        int broken = agent.addSemaphore(
                7,
                new TransportConnection() {
                    @Override
                    public long write(
                            LocalMemory from, long sourceOffset, RemoteMemory to, long targetOffset, long bytes) {
                        throw new InternalError("a fault occurred in an unsafe memory access operation");
                    }

                    @Override
                    public long signal(RemoteMemory to, long targetOffset) {
                        throw new IllegalStateException("closed");
                    }

                    @Override
                    public long completed() {
                        return 0;
                    }

                    @Override
                    public void close() {}
                },
                COUNTERS,
                0);
        push(broken, Trigger.DATA, 0, 0, 8);
        assertTrue(awaitFault().contains("a transfer to rank 7 failed: "), faults.toString());
        assertTrue(awaitFault().contains("unsafe memory access"), faults.toString());
        assertEquals(Optional.of(AbortCause.FAILED), abort.cause());
        AbortFlag own = new AbortFlag();
        try (ProxyAgent other = service.open(new ProxyAgentSpec(
                "rank 1 of test", backend.openDevice(1), 8, false, Duration.ofSeconds(5), own, FaultHandler.of(own)))) {
            int id = other.addSemaphore(7, right, COUNTERS, 0);
            long position = other.fifo().tryPush(0, Trigger.word1(0, 0, 0, Trigger.SIGNAL | Trigger.FLUSH, id));
            while (other.fifo().flushed(id) <= position) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void semaphoreIdsRunOutAndComeBack() {
        for (int i = 2; i < Trigger.SEMAPHORE_IDS; i++) {
            assertEquals(i, agent.addSemaphore(7, left, COUNTERS, 0));
        }
        String message = assertThrows(InvalidArgumentException.class, () -> agent.addSemaphore(7, left, COUNTERS, 0))
                .getMessage();
        assertTrue(message.contains("all 1024 semaphore ids are in use; close semaphores"), message);
        agent.removeSemaphore(17);
        assertEquals(17, agent.addSemaphore(7, right, COUNTERS, 0));
        assertThrows(InvalidArgumentException.class, () -> agent.addSemaphore(7, left, COUNTERS, 1017));
        assertThrows(InvalidArgumentException.class, () -> agent.addSemaphore(7, left, COUNTERS, 4));
    }

    @Test
    void removingWaitsForWhatIsInFlight() throws InterruptedException {
        left.hold();
        push(leftId, Trigger.DATA, 0, 0, 8);
        Thread remover = Thread.ofPlatform().daemon().start(() -> agent.removeLocalMemory(source));
        remover.join(Duration.ofMillis(50));
        assertTrue(remover.isAlive());
        left.complete(1);
        remover.join();
        push(rightId, Trigger.DATA, 0, 0, 8);
        assertTrue(awaitFault().contains("source memory is not known"), faults.toString());
    }

    @Test
    void anInterruptDoesNotCutRemovingShort() throws InterruptedException {
        left.hold();
        push(leftId, Trigger.DATA, 0, 0, 8);
        AtomicBoolean kept = new AtomicBoolean();
        Thread remover = Thread.ofPlatform().daemon().start(() -> {
            Thread.currentThread().interrupt();
            agent.removeLocalMemory(source);
            kept.set(Thread.interrupted());
        });
        assertFalse(remover.join(Duration.ofMillis(50)));
        left.complete(1);
        remover.join();
        assertTrue(kept.get());
    }

    @Test
    void whatIsNotCompletedInTimeIsSaid() {
        try (ProxyAgent hasty = open(Duration.ofMillis(20))) {
            int id = hasty.addSemaphore(7, left, COUNTERS, 0);
            left.hold();
            hasty.fifo().tryPush(0, Trigger.word1(0, 0, 0, Trigger.SIGNAL, id));
            assertThrows(OperationTimeoutException.class, () -> hasty.removeSemaphore(id));
        }
    }

    @Test
    void closingCarriesOutWhatWasPushedAndCanBeRepeated() {
        for (int i = 0; i < 10; i++) {
            push(leftId, Trigger.SIGNAL, 0, 0, 0);
        }
        agent.close();
        agent.close();
        assertEquals(10, log.size());
        assertEquals(0, agent.doWork());
        agent.removeSemaphore(leftId);
        service.close();
        service.close();
        assertThrows(InvalidArgumentException.class, () -> open(Duration.ofSeconds(1)));
    }

    /** Requests that a test makes, each answered by a signal to the left. */
    private final class Requests implements RequestSource {
        private final AtomicInteger made = new AtomicInteger();
        private final AtomicInteger answered = new AtomicInteger();

        @Override
        public boolean pushAnswers() {
            while (answered.get() < made.get()) {
                if (push(leftId, Trigger.SIGNAL, 0, 0, 0) < 0) {
                    return false;
                }
                answered.incrementAndGet();
            }
            return true;
        }

        void awaitAnswers(int count) {
            while (log.size() < count) {
                Thread.onSpinWait();
            }
        }
    }

    /** Also more at once than the ring holds; a stopped agent goes on answering. */
    @Test
    void requestsAreAnsweredWhenTheyAreTold() {
        Requests requests = new Requests();
        requests.made.set(2);
        agent.serve(requests, false);
        requests.awaitAnswers(2); // what came before
        awaitSleep();
        requests.made.set(1000);
        agent.signalled();
        requests.awaitAnswers(1000);
        agent.stop();
        requests.made.set(1001);
        agent.signalled();
        requests.awaitAnswers(1001);
        agent.stopServing();
        requests.made.set(1002);
        agent.signalled();
        agent.stop(); // which closes it now
        assertEquals(1001, log.size());
        assertEquals(0, agent.doWork());
    }

    @Test
    void requestsThatNobodyTellsOfAreLookedFor() {
        Requests requests = new Requests();
        agent.serve(requests, true);
        for (int count = 1; count <= 20; count++) {
            requests.made.set(count);
            requests.awaitAnswers(count);
        }
        assertEquals(20, log.size());
    }

    private void awaitSleep() {
        while (service.threadState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void removingASemaphoreWaitsForItsTransfersAlone() {
        left.hold();
        push(leftId, Trigger.DATA, 0, 0, 8);
        push(rightId, Trigger.SIGNAL, 0, 0, 0);
        agent.removeSemaphore(rightId); // would time out if it waited for the left one
        left.complete(1);
        agent.removeSemaphore(leftId);
        assertTrue(faults.isEmpty(), faults.toString());
    }

    @Test
    void removingMemoryDoesNotWaitForWhatIsPushedMeanwhile() {
        left.hold();
        push(leftId, Trigger.DATA, 0, 0, 8);
        awaitTaken();
        Thread remover = Thread.ofPlatform().start(() -> agent.removeLocalMemory(source));
        int pushed = 1;
        while (remover.isAlive()) { // there is always one more in flight
            pushed++;
            push(leftId, Trigger.SIGNAL, 0, 0, 0);
            awaitTaken();
            left.complete(pushed - 1);
        }
        assertTrue(faults.isEmpty(), faults.toString());
    }
}
