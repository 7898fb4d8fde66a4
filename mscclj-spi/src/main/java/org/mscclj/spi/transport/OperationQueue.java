package org.mscclj.spi.transport;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The posted operations of a connection that its network has not taken completely yet, in order. For transports whose
 * {@link TransportConnection#write} must not wait. The queue grows on demand; otherwise it allocates nothing. Used by
 * one thread at a time.
 *
 * @param <S> the transport's own kind of source
 * @param <T> the transport's own kind of target
 */
public final class OperationQueue<S, T> {
    private static final int FIRST_CAPACITY = 64;

    private @Nullable Object[] sources = new Object[FIRST_CAPACITY];
    private @Nullable Object[] targets = new Object[FIRST_CAPACITY];

    /** Fields of an operation: the source and the target of its rest, its total size, and the bytes that are done. */
    private long[] numbers = new long[FIRST_CAPACITY * WIDTH];

    private static final int SOURCE_OFFSET = 0;
    private static final int TARGET_OFFSET = 1;
    private static final int TOTAL = 2;
    private static final int DONE = 3;
    private static final int WIDTH = 4;

    private long head;
    private long tail;

    /** Creates an empty queue. */
    public OperationQueue() {}

    /** Adds a write. Offsets and size are bytes. */
    public void add(S source, long sourceOffset, T target, long targetOffset, long bytes) {
        append(source, sourceOffset, target, targetOffset, bytes);
    }

    /** Adds a signal. */
    public void addSignal(T target, long targetOffset) {
        append(null, 0, target, targetOffset, 0);
    }

    private void append(@Nullable S source, long sourceOffset, T target, long targetOffset, long bytes) {
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
        @Nullable Object[] moreSources = new Object[2 * size];
        @Nullable Object[] moreTargets = new Object[2 * size];
        long[] moreNumbers = new long[2 * size * WIDTH];
        for (long index = head; index < tail; index++) {
            int from = slot(index);
            int to = (int) index & 2 * size - 1;
            moreSources[to] = sources[from];
            moreTargets[to] = targets[from];
            System.arraycopy(numbers, from * WIDTH, moreNumbers, to * WIDTH, WIDTH);
        }
        sources = moreSources;
        targets = moreTargets;
        numbers = moreNumbers;
    }

    private int slot(long index) {
        return (int) index & sources.length - 1;
    }

    /** Whether no operation waits. */
    public boolean isEmpty() {
        return head == tail;
    }

    /** Returns the number of operations that wait. */
    public int size() {
        return (int) (tail - head);
    }

    /** Returns the number of operations that were ever added: the position of the last one. */
    public long added() {
        return tail;
    }

    /** Returns the number of operations that were removed: the first one has the next position. */
    public long removed() {
        return head;
    }

    /** Returns whether the first operation is a signal. */
    public boolean isSignal() {
        return sources[slot(head)] == null;
    }

    /** Returns the first operation's source. It must be a write. */
    @SuppressWarnings("unchecked") // add takes no other sources
    public S source() {
        Object source = sources[slot(head)];
        if (source == null) {
            throw new IllegalStateException("the first operation is no write");
        }
        return (S) source;
    }

    /** Returns the first operation's target. The queue must not be empty. */
    @SuppressWarnings("unchecked") // add takes no other targets
    public T target() {
        Object target = targets[slot(head)];
        if (target == null) {
            throw new IllegalStateException("the queue is empty");
        }
        return (T) target;
    }

    /** Returns the offset in the source of the rest of the first operation, in bytes. */
    public long sourceOffset() {
        return number(SOURCE_OFFSET) + number(DONE);
    }

    /** Returns the offset in the target of the rest of the first operation, in bytes. */
    public long targetOffset() {
        return number(TARGET_OFFSET) + number(DONE);
    }

    /** Returns the size of the first operation, in bytes. */
    public long total() {
        return number(TOTAL);
    }

    /** Returns the size of the rest of the first operation, in bytes. */
    public long left() {
        return number(TOTAL) - number(DONE);
    }

    private long number(int which) {
        return numbers[slot(head) * WIDTH + which];
    }

    /** Accounts for bytes of the first operation. If this completes it, removes it and returns true. */
    public boolean advance(long bytes) {
        numbers[slot(head) * WIDTH + DONE] += bytes;
        boolean over = left() == 0;
        if (over) {
            int slot = slot(head);
            sources[slot] = null;
            targets[slot] = null;
            head++;
        }
        return over;
    }

    /** Removes all operations. */
    public void clear() {
        Arrays.fill(sources, null);
        Arrays.fill(targets, null);
        head = tail;
    }
}
