package org.mscclj.transport.tcp.memory;

import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;

/**
 * The memory of one rank that peers may write, by id. An id consists of a slot and a random number. A late frame for
 * closed memory therefore never reaches the memory that uses the slot now, and a peer can only name memory whose id it
 * has received. A look-up is lock-free and allocates nothing.
 */
public final class WritableMemoryTable {
    private static final long SLOTS = 0xffff_ffffL;

    private static final int MAX_PAST = 1 << 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Ids of closed memory whose slot has been reused, the oldest first. */
    private final LinkedHashSet<Long> past = new LinkedHashSet<>();

    private final Deque<Integer> free = new ArrayDeque<>();

    /** The latest memory of each slot; the array is copied when it grows. */
    private volatile @Nullable TcpLocalMemory[] slots = {};

    /** Adds memory and returns its id. */
    public synchronized TcpLocalMemory register(BackendDevice device, DeviceBuffer buffer) {
        Integer known = free.peek();
        int slot = known == null ? slots.length : known;
        TcpLocalMemory last = known == null ? null : slots[slot];
        TcpLocalMemory memory = new TcpLocalMemory(this, unknownId(slot), device, buffer);
        if (known != null) {
            free.remove();
        }
        if (last != null) {
            forget(last.id());
        }
        @Nullable TcpLocalMemory[] more = Arrays.copyOf(slots, Math.max(slots.length, slot + 1));
        more[slot] = memory;
        slots = more;
        return memory;
    }

    /** Returns an id for a slot: a random number in the upper bits. */
    private static long unknownId(int slot) {
        return (long) RANDOM.nextInt() << Integer.SIZE | slot;
    }

    /** Remembers an id, so that frames that are still on their way are discarded; such frames are recent. */
    private void forget(long id) {
        boolean _ = past.add(id);
        if (past.size() > MAX_PAST) {
            Long oldest = past.getFirst();
            past.remove(oldest);
        }
    }

    private synchronized boolean wasGivenOut(long id) {
        return past.contains(id);
    }

    synchronized void closed(TcpLocalMemory memory) {
        free.add((int) (memory.id() & SLOTS));
    }

    /** Returns the memory of an id, or a later one of its slot; null if the id was never assigned. */
    @Nullable
    public TcpLocalMemory find(long id) {
        @Nullable TcpLocalMemory[] all = slots;
        long slot = id & SLOTS;
        TcpLocalMemory memory = slot < all.length ? all[(int) slot] : null;
        return memory != null && (memory.id() == id || wasGivenOut(id)) ? memory : null;
    }

    /** Closes all memory. */
    public void close() {
        for (@Nullable TcpLocalMemory memory : slots) {
            if (memory != null) {
                memory.close();
            }
        }
    }
}
