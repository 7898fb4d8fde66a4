package org.mscclj.spi.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class TriggerTest {
    private static final long LOW_32 = (1L << 32) - 1;

    @Property
    void everyFieldComesBack(
            @ForAll @LongRange(max = LOW_32) long bytes,
            @ForAll @LongRange(max = LOW_32) long sourceOffset,
            @ForAll @LongRange(max = LOW_32) long destinationOffset,
            @ForAll @IntRange(max = Trigger.MEMORY_IDS - 1) int sourceId,
            @ForAll @IntRange(max = Trigger.MEMORY_IDS - 1) int destinationId,
            @ForAll @IntRange(max = 7) int type,
            @ForAll @IntRange(max = Trigger.SEMAPHORE_IDS - 1) int semaphoreId) {
        long word0 = Trigger.word0(bytes, sourceOffset);
        long word1 = Trigger.word1(destinationOffset, sourceId, destinationId, type, semaphoreId);
        for (long withLap : new long[] {word1, word1 | Trigger.LAP_BIT}) {
            assertEquals(bytes, Trigger.bytes(word0));
            assertEquals(sourceOffset, Trigger.sourceOffset(word0));
            assertEquals(destinationOffset, Trigger.destinationOffset(withLap));
            assertEquals(sourceId, Trigger.sourceId(withLap));
            assertEquals(destinationId, Trigger.destinationId(withLap));
            assertEquals(type, Trigger.type(withLap));
            assertEquals(semaphoreId, Trigger.semaphoreId(withLap));
        }
        assertEquals(0, word1 & Trigger.LAP_BIT);
    }

    /** MSCCL++'s layout: bits 0, 32, 41, 50, 53 and 63 of word 1. */
    @Example
    void fieldsLieWhereMscclppHasThem() {
        assertEquals(0x0000_0002_0000_0001L, Trigger.word0(1, 2));
        assertEquals(1L | 1L << 32 | 1L << 41 | 1L << 50 | 1L << 53, Trigger.word1(1, 1, 1, 1, 1));
        assertEquals(
                Long.MAX_VALUE,
                Trigger.word1(LOW_32, Trigger.MEMORY_IDS - 1, Trigger.MEMORY_IDS - 1, 7, Trigger.SEMAPHORE_IDS - 1));
    }

    @Property
    void aTransferIsCutSoThatEveryPieceFits(
            @ForAll @LongRange(max = 20L << 32) long source,
            @ForAll @LongRange(max = 20L << 32) long destination,
            @ForAll @LongRange(max = 20L << 32) long bytes) {
        long done = 0;
        int pieces = 0;
        while (done < bytes) {
            long piece = Trigger.fit(source + done, destination + done, bytes - done);
            assertTrue(piece > 0 && piece <= Trigger.MAX_BYTES);
            assertTrue(Trigger.windowOffset(source + done) + piece <= Trigger.WINDOW_BYTES);
            assertTrue(Trigger.windowOffset(destination + done) + piece <= Trigger.WINDOW_BYTES);
            assertEquals(
                    source + done,
                    Trigger.windowIndex(source + done) * Trigger.WINDOW_BYTES + Trigger.windowOffset(source + done));
            done += piece;
            pieces++;
        }
        assertEquals(bytes, done);
        assertTrue(pieces <= 3 * (bytes / Trigger.MAX_BYTES + 1));
    }

    @Example
    void aTriggerSaysWhatItIs() {
        assertEquals(
                "data+flush of semaphore 9, 64 bytes from memory 1 offset 16 to memory 2 offset 32",
                Trigger.describe(Trigger.word0(64, 16), Trigger.word1(32, 1, 2, Trigger.DATA | Trigger.FLUSH, 9)));
    }
}
