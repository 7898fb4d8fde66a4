package org.mscclj.runtime.recorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.spi.transfer.PendingTransfer;

/**
 * The last launches, each in the slot that its sequence number selects. Written by one thread at a time, which
 * allocates nothing and waits for no other thread; read by any thread.
 *
 * <p>The data of a launch lies side by side, and the number of slots is a power of two: recording is a part of every
 * launch, and must not cost a division, or a cache miss for each number.
 *
 * <p>Happens-before: a slot's sequence number is cleared before the slot is written, and set with release afterwards. A
 * reader that reads it with acquire before, and again after, and finds it unchanged has read a whole entry.
 */
final class LaunchRing {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int SLOT_SHIFT = 2;
    private static final int SEQUENCE = 0;
    private static final int NANOS = 1;
    private static final int NUMBER = 2;
    private static final int SHARED = 3;

    private final int entries;
    private final int mask;
    private final long[] words;
    private final @Nullable RecordedOperation[] operations;

    /** Stored apart from the other data of a launch, since it is read only if a launch is late. */
    private final long[] mayTake;

    /**
     * A launch.
     *
     * @param number its number among the launches of the operation; {@link RecordedOperation#REPLAY} for a replay
     * @param shared number of launches of all ranks that this rank had made when it had made this one
     * @param mayTakeNanos time that it may take, in nanoseconds; 0 if it has no time of its own
     */
    record Slot(RecordedOperation operation, long number, long shared, long enqueuedNanos, long mayTakeNanos) {
        boolean isEnded() {
            return operation.isEnded(number);
        }

        boolean isReplay() {
            return number == RecordedOperation.REPLAY;
        }

        /** Returns the point-to-point transfers that have not moved yet, if it is in flight. */
        List<PendingTransfer> pending() {
            return operation.pending(number);
        }
    }

    /**
     * Creates an empty ring.
     *
     * @param entries minimum number of launches that it keeps; 0 if it is never written
     */
    LaunchRing(int entries) {
        this.entries = entries;
        int slots = entries <= 1 ? 1 : Integer.highestOneBit(entries - 1) << 1;
        this.mask = slots - 1;
        this.words = new long[slots << SLOT_SHIFT];
        this.operations = new RecordedOperation[slots];
        this.mayTake = new long[slots];
    }

    @SuppressWarnings("ReferenceEquality") // compares identities: a stored object need not be stored again
    void put(
            long sequence,
            RecordedOperation operation,
            long number,
            long sharedSoFar,
            long enqueuedNanos,
            long mayTakeNanos) {
        int slot = (int) sequence & mask;
        int at = slot << SLOT_SHIFT;
        WORD.setOpaque(words, at + SEQUENCE, 0L);
        VarHandle.storeStoreFence();
        words[at + NANOS] = enqueuedNanos;
        words[at + NUMBER] = number;
        words[at + SHARED] = sharedSoFar;
        mayTake[slot] = mayTakeNanos;
        if (operations[slot] != operation) {
            operations[slot] = operation;
        }
        WORD.setRelease(words, at + SEQUENCE, sequence);
    }

    /** Returns the launch of a sequence number; null if it was not recorded, or is overwritten. */
    @Nullable
    Slot get(long sequence) {
        if (entries == 0 || sequence <= 0) {
            return null;
        }
        int slot = (int) sequence & mask;
        int at = slot << SLOT_SHIFT;
        if ((long) WORD.getAcquire(words, at + SEQUENCE) != sequence) {
            return null;
        }
        RecordedOperation operation = operations[slot];
        long number = words[at + NUMBER];
        long sharedSoFar = words[at + SHARED];
        long enqueued = words[at + NANOS];
        long mayTakeNanos = mayTake[slot];
        VarHandle.loadLoadFence();
        return (long) WORD.getOpaque(words, at + SEQUENCE) == sequence && operation != null
                ? new Slot(operation, number, sharedSoFar, enqueued, mayTakeNanos)
                : null;
    }
}
