package org.mscclj.spi.proxy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A ring of {@link Trigger}s: any number of threads push, one proxy drains.
 *
 * <p>The slots lie in a segment that a device could also write: 16 bytes each, word 1 written last. A slot is full when the
 * lap bit of its word 1 differs from the lap before, so that nothing needs clearing.
 *
 * <p>Happens-before:
 *
 * <ul>
 *   <li>A producer claims position {@code p} by compare-and-set of {@code head}, and only if {@code p − tail} is below the
 *       capacity. It reads {@code tail} with acquire; the consumer advances it with release after it has read the slot, so
 *       the producer's stores to the slot come after the consumer's loads of the previous lap.
 *   <li>The producer stores word 0 plainly and word 1 with release; the consumer loads word 1 with acquire and only then
 *       word 0. It therefore sees both words and everything the producer wrote before: pushing releases.
 *   <li>{@link #publishFlushed} is a release and {@link #flushed} an acquire: a producer that sees its position flushed may
 *       write the source again.
 * </ul>
 */
public final class TriggerFifo {
    /** The usual capacity. */
    public static final int DEFAULT_CAPACITY = 512;

    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle HEAD = field("head");
    private static final VarHandle TAIL = field("tail");
    private static final VarHandle FLUSHED = field("flushed");

    private final MemorySegment slots;
    private final int capacity;
    private final int shift;
    private final Runnable wake;

    @SuppressWarnings("unused") // accessed through HEAD
    private long head;

    @SuppressWarnings("unused") // accessed through TAIL
    private long tail;

    @SuppressWarnings("unused") // accessed through FLUSHED
    private long flushed;

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(TriggerFifo.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * A ring over zeroed memory.
     *
     * @param slots 16 bytes for each slot, 8-byte aligned; their number is a power of two
     * @param wake called after every push, to wake a proxy that sleeps; must not block or throw
     */
    public TriggerFifo(MemorySegment slots, Runnable wake) {
        long count = slots.byteSize() / 16;
        if (slots.byteSize() % 16 != 0 || Long.bitCount(count) != 1 || count > 1 << 20) {
            throw InvalidArgumentException.of(
                    "trigger ring", slots.byteSize() + " bytes", "16 bytes times a power of two up to 2^20");
        }
        this.slots = slots;
        this.capacity = (int) count;
        this.shift = Long.numberOfTrailingZeros(count);
        this.wake = wake;
    }

    /** Number of slots. */
    public int capacity() {
        return capacity;
    }

    /**
     * Pushes a trigger, releasing everything written before.
     *
     * @return its position, from 0; −1 if the ring is full
     */
    public long tryPush(long word0, long word1) {
        long position;
        do {
            position = (long) HEAD.getVolatile(this);
            if (position - (long) TAIL.getAcquire(this) >= capacity) {
                return -1;
            }
        } while (!HEAD.compareAndSet(this, position, position + 1));
        long offset = (position & (capacity - 1)) * 16;
        WORD.set(slots, offset, word0);
        WORD.setRelease(slots, offset + 8, word1 | lap(position));
        wake.run();
        return position;
    }

    /** The lap bit of a full slot: 1 in the first lap, since memory starts zeroed, then alternating. */
    private long lap(long position) {
        return (position >>> shift & 1) == 0 ? Trigger.LAP_BIT : 0;
    }

    /** Consumer: whether a trigger is waiting; if so {@link #word0} and {@link #word1} give it until {@link #pop}. */
    public boolean poll() {
        long position = (long) TAIL.get(this);
        long word1 = (long) WORD.getAcquire(slots, (position & (capacity - 1)) * 16 + 8);
        return (word1 & Trigger.LAP_BIT) == lap(position);
    }

    /** Consumer: position of the trigger at the front. */
    public long position() {
        return (long) TAIL.get(this);
    }

    /** Consumer: first word of the trigger at the front. */
    public long word0() {
        return (long) WORD.get(slots, ((long) TAIL.get(this) & (capacity - 1)) * 16);
    }

    /** Consumer: second word of the trigger at the front, without the lap bit. */
    public long word1() {
        return (long) WORD.get(slots, ((long) TAIL.get(this) & (capacity - 1)) * 16 + 8) & ~Trigger.LAP_BIT;
    }

    /** Consumer: frees the slot at the front. */
    public void pop() {
        TAIL.setRelease(this, (long) TAIL.get(this) + 1);
    }

    /** Consumer: says that every trigger before this position has been carried out and its source been read. */
    public void publishFlushed(long position) {
        FLUSHED.setRelease(this, position);
    }

    /** Every trigger before this position has been carried out and its source been read; acquires. */
    public long flushed() {
        return (long) FLUSHED.getAcquire(this);
    }
}
