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
 * Who uses an allocation, and when its memory may be freed. Safe for use by several threads.
 *
 * <p>There are three kinds of use. <em>Users</em> of the owner, prepared operations or copies in a stream say, make
 * closing throw, and keep what is {@linkplain #abandon abandoned}. <em>Occasional users</em> do so only while they are
 * at work. <em>Mappings</em> by peers let the owner close: the memory is freed when the last mapping ends, so that a
 * peer which is still at work, after an abort for example, never writes to memory that is gone.
 */
public final class MemoryUse {
    /**
     * Abandoned, and perhaps kept by users that do not remove themselves, as graphs: looked at whenever other memory is
     * given up.
     */
    private static final Set<MemoryUse> KEPT = ConcurrentHashMap.newKeySet();

    private final Runnable free;
    private final Set<BufferUser> occasionalUsers = new LinkedHashSet<>();
    private int users;
    private int mappings;
    private boolean closed;

    /** Whether, after closing, everybody has been told: the memory is freed when nobody is left. */
    private boolean told;

    /**
     * Memory that nobody uses yet.
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
     * {@link #retain}, which closing the result undoes.
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
     * Adds somebody to ask, and to tell, when the owner closes.
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

    /** Whether somebody uses the memory, so that closing would throw. */
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
     * The owner gives the memory up; it is freed when no peer maps it any more. Idempotent.
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
     * The owner gives the memory up, also while it is used: nobody begins to use it, and it is freed when the last user
     * has ended. Where users do not remove themselves it is freed when other memory is given up after that. Waits for
     * no use of it; only those occasional users are {@linkplain BufferUser#bufferClosed told} that are idle, of which
     * one may wait for what it has begun meanwhile. Idempotent.
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

    /** Frees what was abandoned, and whose last users have ended. */
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
