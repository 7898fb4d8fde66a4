package org.mscclj.spi.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;

/** The side of the device is played by what its documented layout says. */
class DeviceTriggerFifoTest {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final long HEAD = 0x1000;

    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicLong head = new AtomicLong();

    private static MemorySegment shared(int capacity) {
        return Arena.ofAuto().allocate(TriggerFifo.deviceBytes(capacity), 128);
    }

    private TriggerFifo fifo(MemorySegment shared, int capacity) {
        return TriggerFifo.ofDevice(shared, capacity, HEAD, wakes::incrementAndGet);
    }

    private long claim() {
        return head.getAndIncrement();
    }

    private static void fill(MemorySegment shared, int capacity, long position, long word0, long word1) {
        while (position - (long) WORD.getAcquire(shared, TriggerFifo.tailOffset(capacity)) >= capacity) {
            Thread.yield();
        }
        long slot = position % capacity * 16;
        long lap = position / capacity % 2 == 0 ? 1L << 63 : 0;
        WORD.set(shared, slot, word0);
        WORD.setRelease(shared, slot + 8, word1 | lap);
    }

    @Test
    void theLayoutIsAsWritten() {
        assertEquals(512 * 16, TriggerFifo.tailOffset(512));
        assertEquals(512 * 16 + 128, TriggerFifo.flushedOffset(512));
        assertEquals(512 * 16 + 128 + 1024 * 8, TriggerFifo.deviceBytes(512));
        assertEquals(128, TriggerFifo.tailOffset(2));
        MemorySegment shared = shared(4);
        TriggerFifo fifo = fifo(shared, 4);
        assertEquals(shared.address(), fifo.address());
        assertEquals(HEAD, fifo.headAddress());
        assertTrue(fifo.isPushedByDevice());
        fifo.expectPushes();
        assertEquals(1, wakes.get());
    }

    @Test
    void triggersComeOutInOrderOverManyLaps() {
        MemorySegment shared = shared(4);
        TriggerFifo fifo = fifo(shared, 4);
        for (long i = 0; i < 41; i++) {
            assertFalse(fifo.poll());
            assertTrue(fifo.isEmpty());
            assertEquals(i, fifo.pushed());
            fill(shared, 4, claim(), i, ~i & Long.MAX_VALUE);
            assertFalse(fifo.isEmpty());
            assertEquals(i + 1, fifo.pushed());
            assertTrue(fifo.poll());
            assertEquals(i, fifo.position());
            assertEquals(i, fifo.word0());
            assertEquals(~i & Long.MAX_VALUE, fifo.word1());
            fifo.pop();
            assertEquals(i + 1, shared.get(ValueLayout.JAVA_LONG, TriggerFifo.tailOffset(4)));
        }
    }

    @Test
    void aPositionThatIsNotFilledHoldsUpThoseAfterIt() {
        MemorySegment shared = shared(4);
        TriggerFifo fifo = fifo(shared, 4);
        long first = claim();
        fill(shared, 4, claim(), 2, 2);
        assertTrue(fifo.isEmpty());
        assertEquals(0, fifo.pushed());
        fill(shared, 4, first, 1, 1);
        assertEquals(2, fifo.pushed());
        assertEquals(1, fifo.word0());
    }

    @Test
    void flushesArePublishedToTheDevice() {
        MemorySegment shared = shared(2);
        TriggerFifo fifo = fifo(shared, 2);
        fifo.publishFlushed(3, 7);
        assertEquals(7, fifo.flushed(3));
        assertEquals(7, shared.get(ValueLayout.JAVA_LONG, TriggerFifo.flushedOffset(2) + 3 * 8));
    }

    @Test
    void threadsCannotPush() {
        TriggerFifo fifo = fifo(shared(2), 2);
        assertThrows(UnsupportedException.class, () -> fifo.tryPush(1, 1));
    }

    @Test
    void wrongSizesAreRefused() {
        assertThrows(InvalidArgumentException.class, () -> fifo(shared(512), 2));
        assertThrows(InvalidArgumentException.class, () -> fifo(shared(3), 3));
        assertThrows(InvalidArgumentException.class, () -> fifo(shared(512), 0));
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void manyDeviceThreadsShareARing() throws InterruptedException {
        int capacity = 8;
        int producers = 4;
        int each = 20_000;
        MemorySegment shared = shared(capacity);
        TriggerFifo fifo = fifo(shared, capacity);
        Thread[] threads = new Thread[producers];
        for (int p = 0; p < producers; p++) {
            long producer = p;
            threads[p] = Thread.ofPlatform().daemon().start(() -> {
                for (long i = 0; i < each; i++) {
                    fill(shared, capacity, claim(), producer << 32 | i, producer << 32 | i);
                }
            });
        }
        long[] next = new long[producers];
        for (long position = 0; position < (long) producers * each; position++) {
            while (!fifo.poll()) {
                Thread.yield();
            }
            long word0 = fifo.word0();
            assertEquals(word0, fifo.word1());
            fifo.pop();
            assertEquals(next[(int) (word0 >>> 32)]++, word0 & 0xFFFF_FFFFL);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
