package org.mscclj.runtime.proxy;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.event.Events;
import org.mscclj.runtime.event.ProxyBatchEvent;
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
 * <p>Whoever holds the {@linkplain Claim claim} runs the agent: the service's thread, or a thread that waits for it and
 * would otherwise only spin. Everything that the ring's consumer does happens under the claim. A closed agent stays
 * claimed.
 *
 * <p>Flushes are asynchronous: a semaphore whose transfers are not completed is kept among those in flight, and asked
 * again, while triggers of other semaphores go on. Nothing is allocated or thrown while triggers are well formed. A
 * trigger that cannot be carried out faults the agent: the handler aborts the communicator, and what follows is
 * dropped.
 */
public final class ProxyAgent implements AutoCloseable {
    /** Triggers carried out before other agents get their turn. */
    private static final int BATCH = 64;

    private final ProxyAgentSpec spec;
    private final ProxyService service;
    private final AbortFlag abort;
    private final TriggerRing ring;
    private final TriggerFifo fifo;
    private final TriggerIds ids;
    private final TransfersInFlight inFlight = new TransfersInFlight();
    private final TriggerCarrier carrier;
    private final Claim claim = new Claim();

    /** What peers ask for; null if they ask for nothing. */
    private volatile @Nullable RequestSource requests;

    /** Whether transports do not say that requests have come, so that they have to be looked for. */
    private volatile boolean looksForRequests;

    /**
     * Whether there may be requests that nobody has looked at; set after they can be seen, cleared before they are
     * looked at.
     */
    private volatile boolean requested;

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
        this.ids = new TriggerIds(spec.name());
        this.carrier = new TriggerCarrier(ids, inFlight);
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
        return ids.addLocalMemory(memory);
    }

    /** Gives a peer's memory ids; see {@link #addLocalMemory}. */
    public int addRemoteMemory(RemoteMemory memory) {
        return ids.addRemoteMemory(memory);
    }

    /**
     * Gives a connection and a counter of the peer a semaphore id.
     *
     * @param peer the rank that it leads to, for messages
     * @param counterOffset where the counter lies in {@code counters}, in bytes
     * @throws InvalidArgumentException if none is free, or the counter is outside
     */
    public int addSemaphore(int peer, TransportConnection connection, RemoteMemory counters, long counterOffset) {
        return ids.addSemaphore(peer, connection, counters, counterOffset);
    }

    /** Takes memory's ids back, after everything pushed so far; nothing may be pushed with them any more. */
    public void removeLocalMemory(int firstId) {
        drain();
        ids.removeLocalMemory(firstId);
    }

    /** Takes memory's ids back; see {@link #removeLocalMemory}. */
    public void removeRemoteMemory(int firstId) {
        drain();
        ids.removeRemoteMemory(firstId);
    }

    /** Takes a semaphore id back, after everything pushed so far; nothing may be pushed with it any more. */
    public void removeSemaphore(int id) {
        if (!closed) { // after that nothing is left, and the ring may be gone
            long pushed = fifo.pushed();
            requireDrained(awaitUnderClaim(() -> fifo.position() >= pushed && !isInFlight(id)));
        }
        // Flushes of the id's next user are answered by greater positions, since the ring's positions only grow.
        ids.removeSemaphore(id);
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
     * Does what can be done now, unless another thread is doing it. Any thread may call this; one that waits for a
     * flush does.
     *
     * @return how many triggers were taken and flushes answered
     */
    public int doWork() {
        if (!claim.tryTake()) {
            return 0;
        }
        int work;
        try {
            work = work();
        } finally {
            claim.giveBack();
        }
        if (inFlight.count() > 0) {
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
        return !fifo.isPushedByDevice() && (requested || !fifo.isEmpty()) && !claim.isTaken();
    }

    /** Whether something will have to be looked at again, though nobody pushes. */
    boolean isPending() {
        // A device pushes without waking anybody.
        return inFlight.count() > 0
                || fifo.isPushedByDevice()
                || requested
                || (looksForRequests && requests != null)
                || !fifo.isEmpty();
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
                event.commit(spec.name(), taken, answered, inFlight.count());
            }
            return taken + answered;
        } catch (RuntimeException | Error e) {
            // Whatever a transport throws: the thread serves other communicators too.
            transferFailed(e);
            return 1;
        } finally {
            inFlight.useNone();
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
            String refusal = carrier.carryOut(position, word0, word1);
            if (refusal != null) {
                fault(position, word0, word1, refusal);
            }
            taken++;
        }
        return taken;
    }

    /** Asks after everything in flight; returns how many flushes were answered. */
    private int progress() {
        int answered = inFlight.progress(fifo);
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
        inFlight.forget();
        return dropped;
    }

    private void fault(long position, long word0, long word1, String reason) {
        fault(
                OptionalInt.empty(),
                "trigger " + position + " (" + Trigger.describe(word0, word1) + ") cannot be carried out: " + reason);
    }

    private void transferFailed(Throwable cause) {
        ProxySemaphore failed = inFlight.used();
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
        return awaitUnderClaim(() -> drain.isOver(fifo.position(), inFlight));
    }

    private boolean isInFlight(int id) {
        ProxySemaphore semaphore = ids.semaphore(id);
        return semaphore != null && semaphore.inFlight();
    }

    private void requireDrained(boolean drained) {
        if (!drained) {
            throw new OperationTimeoutException(
                    "proxy of " + spec.name() + ": transfers were not completed after "
                            + DurationText.of(spec.timeout())
                            + "; find out what the peers do, or abort the communicator",
                    List.of());
        }
    }

    /**
     * Works until something is so, or the agent's timeout has passed; true at once if nothing is carried out any more.
     * An interrupt is kept for later: what is taken away next may be in use until then.
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
        if (!claim.tryTake()) {
            return closed;
        }
        try {
            work();
            return faulted || abort.isSet() || over.getAsBoolean();
        } catch (RuntimeException e) {
            transferFailed(e);
            return true;
        } finally {
            claim.giveBack();
        }
    }

    /** Whether this {@linkplain #serve answers requests}. */
    public boolean isServing() {
        return requests != null;
    }

    /**
     * Carries out what was pushed, and then {@linkplain #close closes}; not if this {@linkplain #serve answers
     * requests}, of which others may come until all ranks have stopped.
     */
    public void stop() {
        if (isServing()) {
            boolean _ = tryDrain(); // what is not completed in time is given up when this is closed
        } else {
            close();
        }
    }

    /**
     * Carries out what was pushed, and frees the ring and all ids. What cannot be completed in time is given up.
     * Idempotent.
     */
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
            while (!claim.tryTake()) { // whoever has it gives it back soon, since transports do not wait for peers
                if (!backoff.spin()) {
                    Thread.yield();
                }
            }
            closed = true;
            ring.close();
        }
    }
}
