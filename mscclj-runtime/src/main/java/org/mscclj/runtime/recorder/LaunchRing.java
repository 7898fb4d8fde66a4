package org.mscclj.runtime.recorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The last launches, each in the slot that its sequence number names. Written by one thread at a time, which allocates nothing and waits for nobody;
 * read by any.
 *
 * <p>Happens-before: a slot's sequence number is cleared before the slot is written, and set with release afterwards. Who reads it with acquire
 * before, and again after, and finds it unchanged has read a whole entry.
 */
final class LaunchRing {
    private static final VarHandle SEQUENCE = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] sequences;
    private final long[] nanos;
    private final long[] numbers;
    private final long[] shared;
    private final @Nullable RecordedOperation[] operations;

    /**
     * A launch.
     *
     * @param number its number among those of the operation
     * @param shared launches that all ranks make which this rank had made when it had made this one
     */
    record Slot(RecordedOperation operation, long number, long shared, long enqueuedNanos) {
        boolean isEnded() {
            return operation.isEnded(number);
        }
    }

    LaunchRing(int entries) {
        sequences = new long[entries];
        nanos = new long[entries];
        numbers = new long[entries];
        shared = new long[entries];
        operations = new RecordedOperation[entries];
    }

    int entries() {
        return sequences.length;
    }

    void put(long sequence, RecordedOperation operation, long number, long sharedSoFar, long enqueuedNanos) {
        int slot = (int) (sequence % sequences.length);
        SEQUENCE.setOpaque(sequences, slot, 0L);
        VarHandle.storeStoreFence();
        nanos[slot] = enqueuedNanos;
        numbers[slot] = number;
        shared[slot] = sharedSoFar;
        operations[slot] = operation;
        SEQUENCE.setRelease(sequences, slot, sequence);
    }

    /** The launch of a sequence number; null if it was not recorded, or is overwritten. */
    @Nullable
    Slot get(long sequence) {
        if (sequences.length == 0 || sequence <= 0) {
            return null;
        }
        int slot = (int) (sequence % sequences.length);
        if ((long) SEQUENCE.getAcquire(sequences, slot) != sequence) {
            return null;
        }
        RecordedOperation operation = operations[slot];
        long number = numbers[slot];
        long sharedSoFar = shared[slot];
        long enqueued = nanos[slot];
        VarHandle.loadLoadFence();
        return (long) SEQUENCE.getOpaque(sequences, slot) == sequence && operation != null
                ? new Slot(operation, number, sharedSoFar, enqueued)
                : null;
    }
}
