package org.mscclj.runtime.proxy;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.proxy.Trigger;

/**
 * The memory ids of an agent, for local or for remote memory. Memory has one id for each 4 GiB, consecutive, since
 * offsets in triggers have 32 bits.
 *
 * <p>Set-up threads add and remove memory under the table's lock; the proxy looks it up without the lock. An entry is
 * published by a volatile store and read by a volatile load, so the proxy sees the memory as it was added.
 *
 * @param <M> the kind of memory
 */
final class MemoryTable<M> {
    /**
     * The part of memory that an id names.
     *
     * @param memory the memory
     * @param firstId the memory's first id
     * @param base offset of the window in the memory, in bytes
     * @param limit bytes from there to the end of the memory; ranges may reach past the window
     * @param <M> the kind of memory
     */
    record Window<M>(M memory, int firstId, long base, long limit) {}

    private final String name;
    private final AtomicReferenceArray<@Nullable Window<M>> windows = new AtomicReferenceArray<>(Trigger.MEMORY_IDS);
    private final BitSet used = new BitSet(Trigger.MEMORY_IDS);

    MemoryTable(String name) {
        this.name = name;
    }

    /** Adds memory and returns its first id. */
    synchronized int add(M memory, long byteSize) {
        long count = Math.max(1, Math.ceilDiv(byteSize, Trigger.WINDOW_BYTES));
        int first = firstFit(count);
        if (first < 0) {
            throw new InvalidArgumentException(
                    name + ": no " + count + " consecutive memory ids are free for " + byteSize
                            + " bytes (one for each 4 GiB): " + used.cardinality() + " of " + Trigger.MEMORY_IDS
                            + " are in use; close registered memory, prepared operations or communicators that"
                            + " are not needed");
        }
        for (int i = 0; i < count; i++) {
            long base = i * Trigger.WINDOW_BYTES;
            windows.set(first + i, new Window<>(memory, first, base, byteSize - base));
        }
        used.set(first, first + (int) count);
        return first;
    }

    private int firstFit(long count) {
        int first = used.nextClearBit(0);
        while (first + count <= Trigger.MEMORY_IDS) {
            int taken = used.nextSetBit(first);
            if (taken < 0 || taken >= first + count) {
                return first;
            }
            first = used.nextClearBit(taken);
        }
        return -1;
    }

    /** Frees the ids of the memory that starts at this id. Does nothing if there is none. */
    synchronized void remove(int firstId) {
        for (int id = firstId; id < Trigger.MEMORY_IDS; id++) {
            Window<M> window = windows.get(id);
            if (window == null || window.firstId() != firstId) {
                break;
            }
            windows.set(id, null);
            used.clear(id);
        }
    }

    /** Returns the window that an id names; null if there is none. */
    @Nullable
    Window<M> window(int id) {
        return windows.get(id);
    }
}
