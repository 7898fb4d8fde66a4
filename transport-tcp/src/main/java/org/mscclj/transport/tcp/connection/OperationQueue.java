package org.mscclj.transport.tcp.connection;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.mscclj.transport.tcp.memory.TcpLocalMemory;
import org.mscclj.transport.tcp.memory.TcpRemoteMemory;

/**
 * The posted operations that are not cut into frames completely yet, in order. The queue grows on demand; otherwise it
 * allocates nothing. Guarded by the connection's lock.
 */
final class OperationQueue {
    private static final int FIRST_CAPACITY = 64;

    private @Nullable TcpLocalMemory[] sources = new TcpLocalMemory[FIRST_CAPACITY];
    private @Nullable TcpRemoteMemory[] targets = new TcpRemoteMemory[FIRST_CAPACITY];

    /** Fields of an operation: the source and the target of its rest, its total size, and the bytes that are done. */
    private long[] numbers = new long[FIRST_CAPACITY * WIDTH];

    private static final int SOURCE_OFFSET = 0;
    private static final int TARGET_OFFSET = 1;
    private static final int TOTAL = 2;
    private static final int DONE = 3;
    private static final int WIDTH = 4;

    private long head;
    private long tail;

    /** Adds an operation; without a source it is a signal. */
    void add(
            @Nullable TcpLocalMemory source, long sourceOffset, TcpRemoteMemory target, long targetOffset, long bytes) {
        if (tail - head == sources.length) {
            grow();
        }
        int slot = slot(tail++);
        sources[slot] = source;
        targets[slot] = target;
        numbers[slot * WIDTH + SOURCE_OFFSET] = sourceOffset;
        numbers[slot * WIDTH + TARGET_OFFSET] = targetOffset;
        numbers[slot * WIDTH + TOTAL] = bytes;
        numbers[slot * WIDTH + DONE] = 0;
    }

    private void grow() {
        int size = sources.length;
        @Nullable TcpLocalMemory[] moreSources = Arrays.copyOf(sources, 2 * size);
        @Nullable TcpRemoteMemory[] moreTargets = Arrays.copyOf(targets, 2 * size);
        long[] moreNumbers = new long[2 * size * WIDTH];
        for (int i = 0; i < size; i++) {
            int from = slot(head + i);
            moreSources[i] = sources[from];
            moreTargets[i] = targets[from];
            System.arraycopy(numbers, from * WIDTH, moreNumbers, i * WIDTH, WIDTH);
        }
        sources = moreSources;
        targets = moreTargets;
        numbers = moreNumbers;
        head = 0;
        tail = size;
    }

    private int slot(long index) {
        return (int) index & sources.length - 1;
    }

    boolean isEmpty() {
        return head == tail;
    }

    int size() {
        return (int) (tail - head);
    }

    /** The first operation's source; null if it is a signal. */
    @Nullable
    TcpLocalMemory source() {
        return sources[slot(head)];
    }

    TcpRemoteMemory target() {
        TcpRemoteMemory target = targets[slot(head)];
        if (target == null) {
            throw new IllegalStateException("the queue is empty");
        }
        return target;
    }

    /** Returns the offset in the source of the rest of the first operation. */
    long sourceOffset() {
        return number(SOURCE_OFFSET) + number(DONE);
    }

    /** Returns the offset in the target of the rest of the first operation. */
    long targetOffset() {
        return number(TARGET_OFFSET) + number(DONE);
    }

    long total() {
        return number(TOTAL);
    }

    long left() {
        return number(TOTAL) - number(DONE);
    }

    private long number(int which) {
        return numbers[slot(head) * WIDTH + which];
    }

    /**
     * Accounts for bytes of the first operation that are in a frame; true if this completes the operation and removes
     * it.
     */
    boolean framed(long bytes) {
        int slot = slot(head);
        numbers[slot * WIDTH + DONE] += bytes;
        boolean over = left() == 0;
        if (over) {
            sources[slot] = null;
            targets[slot] = null;
            head++;
        }
        return over;
    }

    /** Removes all operations. */
    void clear() {
        Arrays.fill(sources, null);
        Arrays.fill(targets, null);
        head = tail;
    }
}
