package org.mscclj.spi.proxy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;

/**
 * A ring of {@link Trigger}s: any number of threads push, or the threads of a device, and one proxy drains. Several
 * threads may be the proxy, one after the other, if happens-before orders the change from one to the next.
 *
 * <p>The slots lie in a segment that a device could also write: 16 bytes each, word 1 written last. A slot is full when
 * the lap bit of its word 1 differs from the lap before, so that nothing needs clearing.
 *
 * <p>Happens-before:
 *
 * <ul>
 *   <li>A producer claims position {@code p} by compare-and-set of {@code head}, and only if {@code p − tail} is below
 *       the capacity. It reads {@code tail} with acquire; the consumer advances it with release after it has read the
 *       slot, so the producer's stores to the slot come after the consumer's loads of the previous lap.
 *   <li>The producer stores word 0 plainly and word 1 with release; the consumer loads word 1 with acquire and only
 *       then word 0. It therefore sees both words and everything that the producer wrote before: a push releases.
 *   <li>{@link #publishFlushed} is a release and {@link #flushed} an acquire: a producer that sees its position flushed
 *       may write the source again.
 *   <li>No wake-up is lost: a producer claims its position, a volatile write of {@code head}, before it runs
 *       {@code wake}, which reads whether the proxy sleeps; a proxy records that it sleeps before it calls
 *       {@link #isEmpty}, a volatile read of {@code head}. If all four accesses are volatile, at least one of the two
 *       threads sees the other, and a push needs no fence of its own.
 * </ul>
 *
 * <p>A ring into which a <b>device</b> pushes ({@link #ofDevice}) has its slots, and the proxy's published words, in
 * one zeroed segment that host and device both access; all words have 64 bits, and offsets are in bytes:
 *
 * <pre>
 * 0                                  slots: word 0, word 1, …
 * {@link #tailOffset}(capacity)      tail: positions taken by the proxy
 * {@link #flushedOffset}(capacity)   for each semaphore id, the position up to which its flushes are answered
 * </pre>
 *
 * <p>The head, positions claimed, is a zeroed word of the device's own memory. A thread of the device claims position
 * {@code p} by adding one to the head atomically; waits until {@code p − tail < capacity}, loading the tail with
 * acquire for the whole system; stores word 0; and stores word 1 with the lap bit, with release for the whole system.
 * Positions start at 0, and the lap bit of position {@code p} is 1 if {@code p / capacity} is even. Unlike
 * {@link #tryPush} it cannot turn back once it has claimed, so it also watches the communicator's abort word while it
 * waits. It waits for a flush until the word of its semaphore, loaded with acquire for the whole system, is greater
 * than the flush's position. Host threads cannot push into such a ring, and no thread wakes its proxy, which therefore
 * never sleeps for long; {@link #expectPushes} ends a nap.
 */
public final class TriggerFifo {
    /** The usual capacity. */
    public static final int DEFAULT_CAPACITY = 512;

    /** Bytes of a slot. */
    public static final int SLOT_BYTES = 16;

    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Longs in two cache lines, because CPUs fetch neighbouring lines in pairs. */
    private static final int LINES = 16;

    /** Positions claimed by producers. */
    private static final int HEAD = LINES;

    /** Positions taken by the consumer. */
    private static final int TAIL = 2 * LINES;

    /** Distance between words that different sides write, in bytes: two cache lines. */
    private static final long LINE_BYTES = LINES * (long) Long.BYTES;

    private final MemorySegment slots;
    private final int capacity;
    private final int shift;
    private final Runnable wake;

    /** All of the memory that a device accesses; null if threads push. */
    private final @Nullable MemorySegment shared;

    /** The address at which the device counts claimed positions; 0 if threads push. */
    private final long headAddress;

    /** Head and tail, on lines of their own: producers write the head, the consumer the tail. */
    private final long[] positions = new long[3 * LINES];

    /** For each semaphore. */
    private final long[] flushed = new long[Trigger.SEMAPHORE_IDS];

    /**
     * A ring over zeroed memory.
     *
     * @param slots {@link #SLOT_BYTES} bytes for each slot, 8-byte aligned; their number is a power of two
     * @param wake called after every push, to wake a proxy that sleeps; must not block or throw
     */
    public TriggerFifo(MemorySegment slots, Runnable wake) {
        this(slots, wake, null, 0);
    }

    private TriggerFifo(MemorySegment slots, Runnable wake, @Nullable MemorySegment shared, long headAddress) {
        long count = slots.byteSize() / SLOT_BYTES;
        if (slots.byteSize() % SLOT_BYTES != 0 || Long.bitCount(count) != 1 || count > 1 << 20) {
            throw InvalidArgumentException.of(
                    "trigger ring", slots.byteSize() + " bytes", "16 bytes times a power of two up to 2^20");
        }
        this.slots = slots;
        this.capacity = (int) count;
        this.shift = Long.numberOfTrailingZeros(count);
        this.wake = wake;
        this.shared = shared;
        this.headAddress = headAddress;
    }

    /**
     * A ring into which a device pushes.
     *
     * @param shared {@link #deviceBytes} bytes of zeroed memory, at the same address for host and device, 128-byte
     *     aligned
     * @param capacity number of slots, a power of two
     * @param headAddress address at which the device claims positions: 8 zeroed bytes of its memory
     * @param wake ends a nap of the proxy; must not block or throw
     */
    public static TriggerFifo ofDevice(MemorySegment shared, int capacity, long headAddress, Runnable wake) {
        if (capacity < 1 || shared.byteSize() != deviceBytes(capacity)) {
            throw InvalidArgumentException.of(
                    "trigger ring of a device",
                    shared.byteSize() + " bytes for " + capacity + " slots",
                    "a power of two up to 2^20, and the bytes that deviceBytes says");
        }
        return new TriggerFifo(shared.asSlice(0, (long) capacity * SLOT_BYTES), wake, shared, headAddress);
    }

    /** Bytes of the memory that host and device share, for a ring of this capacity. */
    public static long deviceBytes(int capacity) {
        return flushedOffset(capacity) + (long) Trigger.SEMAPHORE_IDS * Long.BYTES;
    }

    /** Offset of the tail in that memory, in bytes. */
    public static long tailOffset(int capacity) {
        return Math.ceilDiv((long) capacity * SLOT_BYTES, LINE_BYTES) * LINE_BYTES;
    }

    /** Offset of the word of semaphore 0 in that memory, in bytes; the words of the other semaphores follow. */
    public static long flushedOffset(int capacity) {
        return tailOffset(capacity) + LINE_BYTES;
    }

    /** Whether a device pushes, instead of threads. */
    public boolean isPushedByDevice() {
        return shared != null;
    }

    /** The address of the slots, which is the start of the memory that a device shares. */
    public long address() {
        return slots.address();
    }

    /** The address at which a device claims positions; 0 if threads push. */
    public long headAddress() {
        return headAddress;
    }

    /**
     * Announces a launch that will push, when it is enqueued: the proxy polls the ring at once, and often for a while.
     * Never blocks or throws.
     */
    public void expectPushes() {
        wake.run();
    }

    /** Number of slots. */
    public int capacity() {
        return capacity;
    }

    /**
     * Pushes a trigger, releasing everything written before.
     *
     * @return its position, from 0; −1 if the ring is full
     * @throws UnsupportedException if a device pushes into this ring
     */
    public long tryPush(long word0, long word1) {
        if (shared != null) {
            throw new UnsupportedException("only the device can push into this ring; threads need a ring of their own");
        }
        long position;
        do {
            position = (long) LONGS.getVolatile(positions, HEAD);
            if (position - (long) LONGS.getAcquire(positions, TAIL) >= capacity) {
                return -1;
            }
        } while (!LONGS.compareAndSet(positions, HEAD, position, position + 1));
        long offset = offset(position);
        WORD.set(slots, offset, word0);
        WORD.setRelease(slots, offset + 8, word1 | lap(position));
        wake.run();
        return position;
    }

    /**
     * Number of positions claimed so far: those below it have been pushed or are about to be. If a device pushes:
     * number of positions whose triggers the host sees, up to the first that it does not see yet.
     */
    public long pushed() {
        if (shared == null) {
            return (long) LONGS.getVolatile(positions, HEAD);
        }
        long taken = (long) LONGS.getAcquire(positions, TAIL);
        long position = taken;
        while (position - taken < capacity && isFull(position)) {
            position++;
        }
        return position;
    }

    /**
     * The position up to which flushes of a semaphore are answered: a flush that was pushed at position {@code p} has
     * ended when this is greater than {@code p}. Then all earlier triggers of that semaphore, and only of it, have been
     * carried out: their sources have been read, and their data is in its target. Acquires.
     */
    public long flushed(int semaphoreId) {
        return (long) LONGS.getAcquire(flushed, semaphoreId);
    }

    /**
     * Consumer: whether a trigger is waiting; if so, {@link #word0} and {@link #word1} return it until {@link #pop}.
     */
    public boolean poll() {
        return isFull(position());
    }

    private boolean isFull(long position) {
        long word1 = (long) WORD.getAcquire(slots, offset(position) + 8);
        return (word1 & Trigger.LAP_BIT) == lap(position);
    }

    /**
     * Consumer: whether all claimed positions were popped. A claimed position may not be ready to {@link #poll} yet. If
     * a device pushes: whether no trigger is ready, which may have changed since; any thread may call it.
     */
    public boolean isEmpty() {
        if (shared != null) {
            return !isFull((long) LONGS.getAcquire(positions, TAIL));
        }
        return (long) LONGS.getVolatile(positions, HEAD) == (long) LONGS.getAcquire(positions, TAIL);
    }

    /** Consumer: position of the trigger at the front. */
    public long position() {
        return (long) LONGS.get(positions, TAIL);
    }

    /** Consumer: first word of the trigger at the front. */
    public long word0() {
        return (long) WORD.get(slots, offset(position()));
    }

    /** Consumer: second word of the trigger at the front, without the lap bit. */
    public long word1() {
        return (long) WORD.get(slots, offset(position()) + 8) & ~Trigger.LAP_BIT;
    }

    /** Consumer: frees the slot at the front. */
    public void pop() {
        long tail = position() + 1;
        LONGS.setRelease(positions, TAIL, tail);
        if (shared != null) {
            WORD.setRelease(shared, tailOffset(capacity), tail);
        }
    }

    /** Consumer: answers the flushes of a semaphore that were pushed below this position, which never decreases. */
    public void publishFlushed(int semaphoreId, long position) {
        LONGS.setRelease(flushed, semaphoreId, position);
        if (shared != null) {
            WORD.setRelease(shared, flushedOffset(capacity) + (long) semaphoreId * Long.BYTES, position);
        }
    }

    private long offset(long position) {
        return (position & (capacity - 1)) * SLOT_BYTES;
    }

    /** The lap bit of a full slot: 1 in the first lap, since memory starts zeroed, then alternating. */
    private long lap(long position) {
        return (position >>> shift & 1) == 0 ? Trigger.LAP_BIT : 0;
    }
}
