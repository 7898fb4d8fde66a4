package org.mscclj.spi.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.InvalidArgumentException;

class TriggerFifoTest {
    private final AtomicInteger wakes = new AtomicInteger();

    private TriggerFifo fifo(int capacity) {
        return new TriggerFifo(
                Arena.ofAuto().allocate((long) capacity * TriggerFifo.SLOT_BYTES, 16), wakes::incrementAndGet);
    }

    @Test
    void triggersComeOutInOrderOverManyLaps() {
        TriggerFifo fifo = fifo(4);
        for (long i = 0; i < 41; i++) {
            assertFalse(fifo.poll());
            assertTrue(fifo.isEmpty());
            assertEquals(i, fifo.tryPush(i, ~i & Long.MAX_VALUE));
            assertFalse(fifo.isEmpty());
            assertTrue(fifo.poll());
            assertEquals(i, fifo.position());
            assertEquals(i, fifo.word0());
            assertEquals(~i & Long.MAX_VALUE, fifo.word1());
            fifo.pop();
        }
        assertEquals(41, wakes.get());
        assertEquals(41, fifo.pushed());
    }

    @Test
    void aFullRingRefuses() {
        TriggerFifo fifo = fifo(2);
        for (int lap = 0; lap < 3; lap++) {
            assertEquals(2 * lap, fifo.tryPush(1, 1));
            assertEquals(2 * lap + 1, fifo.tryPush(2, 2));
            assertEquals(-1, fifo.tryPush(3, 3));
            fifo.pop();
            fifo.pop();
            assertFalse(fifo.poll());
        }
        assertEquals(6, wakes.get());
    }

    @Test
    void aRingOfOneSlotWorks() {
        TriggerFifo fifo = fifo(1);
        for (int i = 0; i < 5; i++) {
            assertEquals(i, fifo.tryPush(i, 0));
            assertEquals(-1, fifo.tryPush(i, 0));
            assertTrue(fifo.poll());
            fifo.pop();
        }
    }

    @Test
    void semaphoresAreFlushedOneByOne() {
        TriggerFifo fifo = fifo(2);
        fifo.publishFlushed(Trigger.SEMAPHORE_IDS - 1, 7);
        assertEquals(7, fifo.flushed(Trigger.SEMAPHORE_IDS - 1));
        assertEquals(0, fifo.flushed(0));
    }

    @Test
    void sizesThatAreNoPowerOfTwoAreRefused() {
        for (long bytes : new long[] {0, 8, 24, 48, (1L << 20) * 16 + 16}) {
            MemorySegment slots = Arena.ofAuto().allocate(bytes, 16);
            assertThrows(InvalidArgumentException.class, () -> new TriggerFifo(slots, () -> {}));
        }
    }

    /** Each producer's triggers come out complete, once, and in its order. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void manyProducersShareARing() throws InterruptedException {
        int producers = 4;
        int each = 50_000;
        TriggerFifo fifo = fifo(8);
        Thread[] threads = new Thread[producers];
        for (int p = 0; p < producers; p++) {
            long producer = p;
            threads[p] = Thread.ofPlatform().daemon().start(() -> {
                for (long i = 0; i < each; i++) {
                    while (fifo.tryPush(producer << 32 | i, producer << 32 | i) < 0) {
                        Thread.yield();
                    }
                }
            });
        }
        long[] next = new long[producers];
        for (long position = 0; position < (long) producers * each; position++) {
            while (!fifo.poll()) {
                Thread.yield();
            }
            assertEquals(position, fifo.position());
            long word0 = fifo.word0();
            assertEquals(word0, fifo.word1());
            fifo.pop();
            int producer = (int) (word0 >>> 32);
            assertEquals(next[producer]++, word0 & 0xFFFF_FFFFL);
        }
        assertTrue(fifo.isEmpty());
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
