package org.mscclj.runtime.proxy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.event.Events;
import org.mscclj.runtime.event.ProxyBatchEvent;
import org.mscclj.runtime.proxy.MemoryTable.Window;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.Backoff;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.proxy.TriggerFifo;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/**
 * One rank's proxy: carries out the triggers of a ring over transport connections.
 *
 * <p>Whoever holds the <em>claim</em> runs the agent: the service's thread, or a thread that waits for it and would otherwise only
 * spin. Everything that the ring's consumer does happens under the claim, which is taken by compare-and-set and given back with
 * release, so that each holder sees what the ones before did. A closed agent stays claimed.
 *
 * <p>Flushes are asynchronous: a semaphore whose transfers are not completed is kept among those in flight, and asked again, while
 * triggers of other semaphores go on. Nothing is allocated or thrown while triggers are well formed. A trigger that cannot be
 * carried out faults the agent: the handler aborts the communicator, and what follows is dropped.
 */
public final class ProxyAgent implements AutoCloseable {
    /** Triggers carried out before other agents get their turn. */
    private static final int BATCH = 64;

    private static final VarHandle CLAIMED;

    static {
        try {
            CLAIMED = MethodHandles.lookup().findVarHandle(ProxyAgent.class, "claimed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ProxyAgentSpec spec;
    private final ProxyService service;
    private final AbortFlag abort;
    private final TriggerRing ring;
    private final TriggerFifo fifo;
    private final MemoryTable<LocalMemory> locals;
    private final MemoryTable<RemoteMemory> remotes;
    private final AtomicReferenceArray<@Nullable ProxySemaphore> semaphores =
            new AtomicReferenceArray<>(Trigger.SEMAPHORE_IDS);

    /** Semaphores whose transfers or flushes are not completed; under the claim. */
    private final ProxySemaphore[] inFlight = new ProxySemaphore[Trigger.SEMAPHORE_IDS];

    /** How many; written under the claim, read by whoever is about to sleep. */
    private volatile int inFlightCount;

    @SuppressWarnings("unused") // accessed through CLAIMED
    private boolean claimed;

    /** What peers ask for; null if they ask for nothing. */
    private volatile @Nullable RequestSource requests;

    /** Whether transports do not say that requests have come, so that they have to be looked for. */
    private volatile boolean looksForRequests;

    /** Whether there may be requests that nobody has looked at; set after they can be seen, cleared before they are looked at. */
    private volatile boolean requested;

    /** Whose connection is being used, for messages; null outside of work. Under the claim. */
    private @Nullable ProxySemaphore used;

    private boolean faulted;
    private boolean closing;

    /** Set when the ring is about to be freed: the claim will never be given back. */
    private volatile boolean closed;

    ProxyAgent(ProxyAgentSpec spec, ProxyService service) {
        if (Integer.bitCount(spec.capacity()) != 1 || spec.capacity() < 0) {
            throw InvalidArgumentException.of("capacity of a trigger ring", spec.capacity(), "powers of two");
        }
        this.spec = spec;
        this.service = service;
        this.abort = spec.abort();
        this.ring = TriggerRing.open(spec, service::wake);
        this.fifo = ring.fifo();
        this.locals = new MemoryTable<>(spec.name() + ", local memory");
        this.remotes = new MemoryTable<>(spec.name() + ", remote memory");
    }

    /** The ring, into which any thread may push, or the device. */
    public TriggerFifo fifo() {
        return fifo;
    }

    /**
     * Gives memory of this rank ids.
     *
     * @return the first; one more follows for each further 4 GiB
     * @throws InvalidArgumentException if not enough consecutive ids are free; says what to close
     */
    public int addLocalMemory(LocalMemory memory) {
        return locals.add(memory, memory.byteSize());
    }

    /** Gives a peer's memory ids; see {@link #addLocalMemory}. */
    public int addRemoteMemory(RemoteMemory memory) {
        return remotes.add(memory, memory.byteSize());
    }

    /**
     * Gives a connection and a counter of the peer a semaphore id.
     *
     * @param peer the rank that it leads to, for messages
     * @param counterOffset where the counter lies in {@code counters}, in bytes
     * @throws InvalidArgumentException if none is free, or the counter is outside
     */
    public int addSemaphore(int peer, TransportConnection connection, RemoteMemory counters, long counterOffset) {
        if (counterOffset < 0 || counterOffset % Long.BYTES != 0 || counterOffset > counters.byteSize() - Long.BYTES) {
            throw InvalidArgumentException.of(
                    "counter offset", counterOffset, "multiples of 8 from 0 to " + (counters.byteSize() - Long.BYTES));
        }
        synchronized (semaphores) {
            for (int id = 0; id < semaphores.length(); id++) {
                if (semaphores.get(id) == null) {
                    semaphores.set(id, new ProxySemaphore(id, peer, connection, counters, counterOffset));
                    return id;
                }
            }
        }
        throw new InvalidArgumentException(
                spec.name() + ": all " + Trigger.SEMAPHORE_IDS
                        + " semaphore ids are in use; close semaphores that are not needed, or use a plan with fewer port channels");
    }

    /** Takes memory's ids back, after everything pushed so far; nothing may be pushed with them any more. */
    public void removeLocalMemory(int firstId) {
        drain();
        locals.remove(firstId);
    }

    /** Takes memory's ids back; see {@link #removeLocalMemory}. */
    public void removeRemoteMemory(int firstId) {
        drain();
        remotes.remove(firstId);
    }

    /** Takes a semaphore id back, after everything pushed so far; nothing may be pushed with it any more. */
    public void removeSemaphore(int id) {
        if (!closed) { // after that nothing is left, and the ring may be gone
            long pushed = fifo.pushed();
            requireDrained(awaitUnderClaim(() -> fifo.position() >= pushed && !isInFlight(id)));
        }
        // Flushes of the id's next user are answered by greater positions, since the ring's positions only grow.
        semaphores.set(id, null);
    }

    /** Says that transfers may have been completed. Never blocks or throws. */
    public void wake() {
        service.wake();
    }

    /** Says that a signal of a peer has been counted, which may be a request. Never blocks or throws. */
    public void signalled() {
        if (isServing()) {
            requested = true;
            service.wake();
        }
    }

    /**
     * Answers requests of peers from now on. Only for rings that threads push into.
     *
     * @param source what pushes the answers
     * @param looks whether nobody calls {@link #signalled} when requests come, so that they are looked for now and then
     */
    public void serve(RequestSource source, boolean looks) {
        looksForRequests = looks;
        requests = source;
        requested = true; // what came before
        service.wake();
    }

    /** Answers requests no more; returns when nobody looks at any. */
    public void stopServing() {
        requests = null;
        boolean _ = awaitUnderClaim(() -> true);
    }

    /**
     * Does what can be done now, unless another thread is doing it. Any thread may call this; one that waits for a flush does.
     *
     * @return how many triggers were taken and flushes answered
     */
    public int doWork() {
        if (!tryClaim()) {
            return 0;
        }
        int work;
        try {
            work = work();
        } finally {
            CLAIMED.setRelease(this, false);
        }
        if (inFlightCount > 0) {
            // The service may have gone to sleep after it saw nothing in flight; both that count and its being asleep
            // are
            // volatile, and each side writes the one before it reads the other.
            service.wake();
        }
        return work;
    }

    /** Whether triggers wait that the caller could take. Volatile reads; see {@link TriggerFifo} on sleeping. */
    boolean isReady() {
        // The ring of a device is memory that may be freed meanwhile, and is looked at under the claim only.
        return !fifo.isPushedByDevice() && (requested || !fifo.isEmpty()) && !(boolean) CLAIMED.getVolatile(this);
    }

    /** Whether something will have to be looked at again, though nobody pushes. */
    boolean isPending() {
        // A device pushes without waking anybody.
        return inFlightCount > 0
                || fifo.isPushedByDevice()
                || requested
                || (looksForRequests && requests != null)
                || !fifo.isEmpty();
    }

    private boolean tryClaim() {
        return !(boolean) CLAIMED.getOpaque(this) && CLAIMED.compareAndSet(this, false, true);
    }

    /** Under the claim. */
    private int work() {
        try {
            if (faulted || abort.isSet()) {
                return drop();
            }
            ProxyBatchEvent event = Events.recordProxies() ? ProxyBatchEvent.begun() : null;
            pushAnswers();
            int taken = carryOut();
            int answered = progress();
            if (event != null && taken + answered > 0 && event.shouldCommit()) {
                event.commit(spec.name(), taken, answered, inFlightCount);
            }
            return taken + answered;
        } catch (RuntimeException | Error e) {
            // Whatever a transport throws: the thread serves other communicators too.
            transferFailed(e);
            return 1;
        } finally {
            used = null;
        }
    }

    /** Answers count as work when they are taken from the ring. */
    private void pushAnswers() {
        RequestSource source = requests;
        if (requested || (looksForRequests && source != null)) {
            requested = false; // also if nobody answers any more, or the thread would not sleep
            if (source != null && !source.pushAnswers()) {
                requested = true;
            }
        }
    }

    private int carryOut() {
        int taken = 0;
        while (taken < BATCH && !faulted && fifo.poll()) {
            long position = fifo.position();
            long word0 = fifo.word0();
            long word1 = fifo.word1();
            fifo.pop();
            carryOut(position, word0, word1);
            taken++;
        }
        return taken;
    }

    private void carryOut(long position, long word0, long word1) {
        int type = Trigger.type(word1);
        ProxySemaphore semaphore = semaphores.get(Trigger.semaphoreId(word1));
        if (type == 0) {
            fault(position, word0, word1, "it asks for nothing");
            return;
        }
        if (semaphore == null) {
            fault(position, word0, word1, "the semaphore is not known");
            return;
        }
        used = semaphore;
        if ((type & Trigger.DATA) != 0 && !write(semaphore, position, word0, word1)) {
            return;
        }
        if ((type & Trigger.SIGNAL) != 0) {
            semaphore.signal();
        }
        if ((type & Trigger.FLUSH) != 0) {
            semaphore.flush(position);
        }
        if (!semaphore.inFlight()) {
            semaphore.inFlight(true);
            int count = inFlightCount;
            inFlight[count] = semaphore;
            inFlightCount = count + 1;
        }
    }

    private boolean write(ProxySemaphore semaphore, long position, long word0, long word1) {
        Window<LocalMemory> source = locals.window(Trigger.sourceId(word1));
        Window<RemoteMemory> destination = remotes.window(Trigger.destinationId(word1));
        long bytes = Trigger.bytes(word0);
        long sourceOffset = Trigger.sourceOffset(word0);
        long destinationOffset = Trigger.destinationOffset(word1);
        if (source == null) {
            fault(position, word0, word1, "the source memory is not known");
        } else if (destination == null) {
            fault(position, word0, word1, "the destination memory is not known");
        } else if (sourceOffset + bytes > source.limit()) {
            fault(position, word0, word1, "the source has only " + left(source, sourceOffset) + " bytes from there");
        } else if (destinationOffset + bytes > destination.limit()) {
            fault(
                    position,
                    word0,
                    word1,
                    "the destination has only " + left(destination, destinationOffset) + " bytes from there");
        } else {
            semaphore.posted(semaphore
                    .connection()
                    .write(
                            source.memory(),
                            source.base() + sourceOffset,
                            destination.memory(),
                            destination.base() + destinationOffset,
                            bytes));
            return true;
        }
        return false;
    }

    private static long left(Window<?> window, long offset) {
        return Math.max(0, window.limit() - offset);
    }

    /** Asks after everything in flight; returns how many flushes were answered. */
    private int progress() {
        int answered = 0;
        int kept = 0;
        int count = inFlightCount;
        for (int i = 0; i < count; i++) {
            ProxySemaphore semaphore = inFlight[i];
            used = semaphore;
            answered += semaphore.progress(fifo);
            if (semaphore.isIdle()) {
                semaphore.inFlight(false);
            } else {
                inFlight[kept++] = semaphore;
            }
        }
        if (kept != count) {
            inFlightCount = kept;
        }
        if (answered > 0) {
            spec.device().wake();
        }
        return answered;
    }

    /** Empties the ring without carrying anything out: the communicator is aborted, and memory may be gone. */
    private int drop() {
        requested = false; // nobody is answered any more
        int dropped = 0;
        while (fifo.poll()) {
            fifo.pop();
            dropped++;
        }
        inFlightCount = 0;
        return dropped;
    }

    private void fault(long position, long word0, long word1, String reason) {
        fault(
                OptionalInt.empty(),
                "trigger " + position + " (" + Trigger.describe(word0, word1) + ") cannot be carried out: " + reason);
    }

    private void transferFailed(Throwable cause) {
        ProxySemaphore failed = used;
        fault(
                failed == null ? OptionalInt.empty() : failed.lostPeer(),
                "a transfer " + (failed == null ? "" : "to rank " + failed.peer() + " ") + "failed: " + cause);
    }

    private void fault(OptionalInt lost, String reason) {
        faulted = true;
        try {
            spec.onFault().failed(lost, "proxy of " + spec.name() + ": " + reason);
        } catch (RuntimeException | Error e) {
            // A handler that fails must not end the thread that serves other communicators; this one is dead either
            // way.
            abort.fail("proxy of " + spec.name() + ": " + reason + "; the handler of faults failed: " + e);
        }
    }

    /**
     * Carries out everything pushed so far, and waits until it is completed.
     *
     * @throws OperationTimeoutException if that takes longer than the agent's timeout
     */
    public void drain() {
        if (!closed) { // after that nothing is left, and the ring may be gone
            requireDrained(tryDrain());
        }
    }

    private boolean tryDrain() {
        Drain drain = new Drain(fifo.pushed());
        return awaitUnderClaim(() -> drain.isOver(fifo.position(), inFlight, inFlightCount));
    }

    private boolean isInFlight(int id) {
        ProxySemaphore semaphore = semaphores.get(id);
        return semaphore != null && semaphore.inFlight();
    }

    private void requireDrained(boolean drained) {
        if (!drained) {
            throw new OperationTimeoutException(
                    "proxy of " + spec.name() + ": transfers were not completed after " + spec.timeout()
                            + "; find out what the peers do, or abort the communicator",
                    List.of());
        }
    }

    /**
     * Works until something is so, or the agent's timeout has passed; true at once if nothing is carried out any more. An interrupt is kept for later: what is taken away next
     * may be in use until then.
     */
    private boolean awaitUnderClaim(BooleanSupplier over) {
        Backoff backoff = new Backoff();
        Deadline deadline = Deadline.after(spec.timeout());
        boolean interrupted = false;
        boolean so = isSo(over);
        while (!so && deadline.left() > 0) {
            if (!backoff.spin()) {
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(this, Math.min(deadline.left(), backoff.nextNap()));
            }
            so = isSo(over);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return so;
    }

    private boolean isSo(BooleanSupplier over) {
        if (!tryClaim()) {
            return closed;
        }
        try {
            work();
            return faulted || abort.isSet() || over.getAsBoolean();
        } catch (RuntimeException e) {
            transferFailed(e);
            return true;
        } finally {
            CLAIMED.setRelease(this, false);
        }
    }

    /** Whether this {@linkplain #serve answers requests}. */
    public boolean isServing() {
        return requests != null;
    }

    /** Carries out what was pushed, and then {@linkplain #close closes}; not if this {@linkplain #serve answers requests}, of which others may come until all ranks have stopped. */
    public void stop() {
        if (isServing()) {
            boolean _ = tryDrain(); // what is not completed in time is given up when this is closed
        } else {
            close();
        }
    }

    /** Carries out what was pushed, and frees the ring and all ids. What cannot be completed in time is given up. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
        }
        try {
            tryDrain();
        } finally {
            service.remove(this);
            Backoff backoff = new Backoff();
            while (!tryClaim()) { // whoever has it gives it back soon, since transports do not wait for peers
                if (!backoff.spin()) {
                    Thread.yield();
                }
            }
            closed = true;
            ring.close();
        }
    }
}
