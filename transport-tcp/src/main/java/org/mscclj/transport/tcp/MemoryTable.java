package org.mscclj.transport.tcp;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;

/**
 * The memory of one rank that peers may write, by id. An id is a slot and the slot's generation, so that what is still on its way to
 * memory that was closed never finds what has the slot now. Looking up is lock-free and allocates nothing.
 */
final class MemoryTable {
    private static final long SLOTS = 0xffff_ffffL;

    private final Deque<Integer> free = new ArrayDeque<>();

    /** The latest memory of each slot; copied when it grows. */
    private volatile @Nullable TcpLocalMemory[] slots = {};

    /** Gives memory an id. */
    synchronized TcpLocalMemory register(BackendDevice device, DeviceBuffer buffer) {
        Integer known = free.peek();
        int slot = known == null ? slots.length : known;
        TcpLocalMemory last = known == null ? null : slots[slot];
        long generation = last == null ? 1 : (last.id() >>> Integer.SIZE) + 1;
        TcpLocalMemory memory = new TcpLocalMemory(this, generation << Integer.SIZE | slot, device, buffer);
        if (known != null) {
            free.remove();
        }
        @Nullable TcpLocalMemory[] more = Arrays.copyOf(slots, Math.max(slots.length, slot + 1));
        more[slot] = memory;
        slots = more;
        return memory;
    }

    synchronized void closed(TcpLocalMemory memory) {
        free.add((int) (memory.id() & SLOTS));
    }

    /** The memory of an id, or a later one of its slot; null if the id was never given out. */
    @Nullable
    TcpLocalMemory find(long id) {
        @Nullable TcpLocalMemory[] all = slots;
        long slot = id & SLOTS;
        TcpLocalMemory memory = slot < all.length ? all[(int) slot] : null;
        return memory != null && id >>> Integer.SIZE >= 1 && id <= memory.id() ? memory : null;
    }

    /** Closes everything. */
    void close() {
        for (@Nullable TcpLocalMemory memory : slots) {
            if (memory != null) {
                memory.close();
            }
        }
    }
}
