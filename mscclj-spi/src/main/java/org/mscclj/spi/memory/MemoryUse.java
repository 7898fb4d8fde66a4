package org.mscclj.spi.memory;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BufferUser;

/**
 * Tracks the users of an allocation, and frees its memory after the last use. Safe for use by several threads.
 *
 * <p>There are three kinds of use. <em>Users</em> of the owner, such as prepared operations or copies in a stream, make
 * closing throw, and keep {@linkplain #abandon abandoned} memory. <em>Occasional users</em> do so only while their work
 * is in flight. <em>Mappings</em> by peers let the owner close: the memory is freed when the last mapping ends, so that
 * a peer whose work is still in flight, for example after an abort, never writes to freed memory.
 */
public final class MemoryUse {
    /**
     * Abandoned memory that users may still keep which do not remove themselves, such as graphs. It is checked whenever
     * other memory is abandoned.
     */
    private static final Set<MemoryUse> KEPT = ConcurrentHashMap.newKeySet();

    private final Runnable free;
    private final Set<BufferUser> occasionalUsers = new LinkedHashSet<>();
    private int users;
    private int mappings;
    private boolean closed;

    /** Whether all users have been notified after closing: the memory is freed when no use remains. */
    private boolean told;

    /**
     * Memory without uses.
     *
     * @param free frees it; called once, by the thread that ends the last use
     */
    public MemoryUse(Runnable free) {
        this.free = free;
    }

    /**
     * Makes closing throw until {@link #release}.
     *
     * @throws InvalidArgumentException if the memory is closed
     */
    public synchronized void retain() {
        if (closed) {
            throw new InvalidArgumentException("the buffer is closed; allocate another one");
        }
        users++;
    }

    /** Undoes {@link #retain}; frees the memory if its owner has abandoned it. */
    public void release() {
        boolean last;
        synchronized (this) {
            users--;
            last = isOver();
        }
        if (last) {
            free.run();
        }
    }

    /**
     * Like {@link #retain}, undone by closing the result.
     *
     * @throws InvalidArgumentException if the memory is closed
     */
    public DeviceBuffer.Hold hold() {
        retain();
        AtomicBoolean ended = new AtomicBoolean();
        return () -> {
            if (ended.compareAndSet(false, true)) {
                release();
            }
        };
    }

    /**
     * Keeps the memory until {@link #unmap}, also if its owner closes it.
     *
     * @throws InvalidArgumentException if the memory is closed
     */
    public synchronized void map() {
        if (closed) {
            throw new InvalidArgumentException(
                    "memory that a peer described is closed; it must stay open until it is mapped");
        }
        mappings++;
    }

    /** Undoes {@link #map}; frees the memory if the owner has closed it. */
    public void unmap() {
        boolean last;
        synchronized (this) {
            mappings--;
            last = isOver();
        }
        if (last) {
            free.run();
        }
    }

    /**
     * Adds a user that is queried and notified when the owner closes.
     *
     * @throws InvalidArgumentException if the memory is closed
     */
    public synchronized void add(BufferUser user) {
        if (closed) {
            throw new InvalidArgumentException("the buffer is closed; allocate another one");
        }
        occasionalUsers.add(user);
    }

    /** Undoes {@link #add}; frees the memory if its owner has abandoned it. Idempotent. */
    public void remove(BufferUser user) {
        boolean last;
        synchronized (this) {
            last = occasionalUsers.remove(user) && isOver();
        }
        if (last) {
            free.run();
        }
    }

    /** Whether the owner has closed the memory. */
    public synchronized boolean isClosed() {
        return closed;
    }

    /** Whether the memory has users, so that closing would throw. */
    public synchronized boolean isUsed() {
        return using() > 0;
    }

    private long using() {
        return users + occasionalUsers.stream().filter(BufferUser::isUsing).count();
    }

    private boolean isOver() {
        return told && users == 0 && occasionalUsers.isEmpty() && mappings == 0;
    }

    /**
     * Closes the memory for its owner; it is freed when no peer maps it any more. Idempotent.
     *
     * @throws InvalidArgumentException if it is in use
     */
    public void close() {
        sweep();
        List<BufferUser> idle;
        synchronized (this) {
            if (closed) {
                return;
            }
            long using = using();
            if (using > 0) {
                throw new InvalidArgumentException("the buffer is in use by " + using
                        + " operations, registrations, copies, graphs or holders (such as exported"
                        + " tensors); close those first, or wait for them");
            }
            closed = true;
            idle = List.copyOf(occasionalUsers);
        }
        tell(idle);
    }

    /**
     * Abandons the memory for its owner, also while it is used: new uses are refused, and it is freed when the last
     * user has ended. Where users do not remove themselves, it is freed when other memory is abandoned after that. Does
     * not wait for uses. Only idle occasional users are {@linkplain BufferUser#bufferClosed notified}, of which one may
     * wait for work that it has begun meanwhile. Idempotent.
     */
    public void abandon() {
        sweep();
        List<BufferUser> idle;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            idle = occasionalUsers.stream().filter(user -> !user.isUsing()).toList();
        }
        KEPT.add(this);
        tell(idle);
        forgetIfOver();
    }

    private synchronized void forgetIfOver() {
        if (isOver()) {
            KEPT.remove(this);
        }
    }

    /** Frees abandoned memory whose last users have ended. */
    private static void sweep() {
        for (MemoryUse use : KEPT) {
            use.freeIfUnused();
        }
    }

    private void freeIfUnused() {
        boolean last;
        synchronized (this) {
            boolean ended = told && occasionalUsers.removeIf(user -> !user.removesItself() && !user.isUsing());
            last = ended && isOver();
        }
        if (last) {
            free.run();
        }
        forgetIfOver();
    }

    private void tell(List<BufferUser> idle) {
        try {
            idle.forEach(BufferUser::bufferClosed); // outside the monitor: they may take locks of their own
        } finally {
            boolean last;
            synchronized (this) {
                idle.forEach(occasionalUsers::remove);
                told = true;
                last = isOver();
            }
            if (last) {
                free.run();
            }
        }
    }
}
