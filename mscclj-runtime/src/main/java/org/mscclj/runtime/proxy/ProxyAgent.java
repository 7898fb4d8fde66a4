package org.mscclj.runtime.proxy;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.event.EventRecorder;
import org.mscclj.runtime.event.ProxyBatchEvent;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.proxy.TriggerFifo;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.waiting.Backoff;

/**
 * One rank's proxy: carries out the triggers of a ring over transport connections.
 *
 * <p>The thread that holds the {@linkplain Claim claim} runs the agent: the service's thread, or a thread that waits
 * for the agent and would otherwise only spin. All work of the ring's consumer happens under the claim. A closed agent
 * stays claimed.
 *
 * <p>Flushes are asynchronous: a semaphore whose transfers are not completed stays in flight and is checked again,
 * while triggers of other semaphores go on. Well-formed triggers allocate and throw nothing. A trigger that cannot be
 * carried out faults the agent: the handler aborts the communicator, and later triggers are dropped.
 */
public final class ProxyAgent implements AutoCloseable {
    /** Maximum number of triggers that are carried out before other agents get their turn. */
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
    private final PeerRequests requests = new PeerRequests();

    private boolean faulted;
    private boolean closing;

    /** Set when the ring is about to be freed: the claim is never released. */
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

    /** Returns the ring, into which any thread may push, or the device. */
    public TriggerFifo fifo() {
        return fifo;
    }

    /**
     * Assigns ids to memory of this rank.
     *
     * @return the first id; one more follows for each further 4 GiB
     * @throws InvalidArgumentException if not enough consecutive ids are free; the exception names what to close
     */
    public int addLocalMemory(LocalMemory memory) {
        return ids.addLocalMemory(memory);
    }

    /** Assigns ids to a peer's memory; see {@link #addLocalMemory}. */
    public int addRemoteMemory(RemoteMemory memory) {
        return ids.addRemoteMemory(memory);
    }

    /**
     * Assigns a semaphore id to a connection and a counter of the peer.
     *
     * @param peer the rank at the other end of the connection, for messages
     * @param counterOffset offset of the counter in {@code counters}, in bytes
     * @throws InvalidArgumentException if no id is free, or the counter is outside
     */
    public int addSemaphore(int peer, TransportConnection connection, RemoteMemory counters, long counterOffset) {
        return ids.addSemaphore(peer, connection, counters, counterOffset);
    }

    /**
     * Removes the memory's ids after everything pushed so far has been carried out. No trigger with these ids may be
     * pushed any more.
     */
    public void removeLocalMemory(int firstId) {
        drain();
        ids.removeLocalMemory(firstId);
    }

    /** Removes the memory's ids; see {@link #removeLocalMemory}. */
    public void removeRemoteMemory(int firstId) {
        drain();
        ids.removeRemoteMemory(firstId);
    }

    /**
     * Removes a semaphore id after everything pushed so far has been carried out. No trigger with this id may be pushed
     * any more.
     */
    public void removeSemaphore(int id) {
        if (!closed) { // a closed agent has no transfers left, and its ring may be freed
            long pushed = fifo.pushed();
            requireDrained(awaitUnderClaim(() -> fifo.position() >= pushed && !isInFlight(id)));
        }
        // Flushes of the id's next user are answered by greater positions, since the ring's positions only grow.
        ids.removeSemaphore(id);
    }

    /** Notifies the service that transfers may have been completed. Never blocks or throws. */
    public void wake() {
        service.wake();
    }

    /** Notifies this agent that a signal of a peer has been counted, which may be a request. Never blocks or throws. */
    public void signalled() {
        if (requests.isServed()) {
            requests.arrived();
            service.wake();
        }
    }

    /**
     * Answers requests of peers from now on. Only for rings into which threads push.
     *
     * @param source pushes the answers
     * @param looks whether no thread calls {@link #signalled} when requests arrive, so that the agent must poll for
     *     them
     */
    public void serve(RequestSource source, boolean looks) {
        requests.serve(source, looks);
        service.wake();
    }

    /** Stops answering requests. When this method returns, no thread handles a request. */
    public void stopServing() {
        requests.stop();
        boolean _ = awaitUnderClaim(() -> true);
    }

    /**
     * Does the work that can be done now, unless another thread is doing it. Any thread may call this; a thread that
     * waits for a flush does.
     *
     * @return number of triggers taken and flushes answered
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
            // The service may have gone to sleep after it saw nothing in flight. Both that count and its flag of being
            // asleep are volatile, and each side writes the one before it reads the other.
            service.wake();
        }
        return work;
    }

    /**
     * Returns whether triggers wait that the caller could take. Volatile reads; see {@link TriggerFifo} on sleeping.
     */
    boolean isReady() {
        // The ring of a device is memory that may be freed meanwhile, so it is read under the claim only.
        return !fifo.isPushedByDevice() && (requests.mayHaveArrived() || !fifo.isEmpty()) && !claim.isTaken();
    }

    /** Returns whether this agent must be checked again, though no thread pushes. */
    boolean isPending() {
        // A device pushes without a wake-up.
        return inFlight.count() > 0 || fifo.isPushedByDevice() || requests.arePending() || !fifo.isEmpty();
    }

    /** Does one turn of work, under the claim. */
    private int work() {
        try {
            if (faulted || abort.isSet()) {
                return drop();
            }
            ProxyBatchEvent event = EventRecorder.recordProxies() ? ProxyBatchEvent.begun() : null;
            requests.pushAnswers();
            int taken = carryOut();
            int answered = progress();
            if (event != null && taken + answered > 0 && event.shouldCommit()) {
                event.commit(spec.name(), taken, answered, inFlight.count());
            }
            return taken + answered;
        } catch (RuntimeException | Error e) {
            // This includes every failure of a transport: the thread serves other communicators too.
            transferFailed(e);
            return 1;
        } finally {
            inFlight.useNone();
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

    /** Checks everything in flight; returns the number of flushes answered. */
    private int progress() {
        int answered = inFlight.progress(fifo);
        if (answered > 0) {
            spec.device().wake();
        }
        return answered;
    }

    /** Empties the ring without carrying anything out: the communicator is aborted, and memory may be freed. */
    private int drop() {
        requests.drop();
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
        if (!closed) { // a closed agent has no transfers left, and its ring may be freed
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
     * Works until the condition holds, or the agent's timeout has passed. Returns true at once if this agent carries
     * nothing out any more. Does not end at an interrupt, and sets the interrupt status again afterwards: until then,
     * resources that the caller removes next may be in use.
     */
    private boolean awaitUnderClaim(BooleanSupplier over) {
        Backoff backoff = new Backoff();
        backoff.start(spec.timeout());
        return backoff.awaitUninterruptibly(() -> isSo(over));
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

    /** Returns whether this agent {@linkplain #serve answers requests}. */
    public boolean isServing() {
        return requests.isServed();
    }

    /**
     * Carries out everything that was pushed, and then {@linkplain #close closes} this agent. If it {@linkplain #serve
     * answers requests}, it stays open: more requests may arrive until all ranks have stopped.
     */
    public void stop() {
        if (isServing()) {
            boolean _ = tryDrain(); // closing gives up what is not completed in time
        } else {
            close();
        }
    }

    /**
     * Carries out everything that was pushed, and frees the ring and all ids. Gives up transfers that are not completed
     * in time. Idempotent.
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
            while (!claim.tryTake()) { // its holder releases it soon, since transports do not wait for peers
                if (!backoff.spin()) {
                    Thread.yield();
                }
            }
            closed = true;
            ring.close();
        }
    }
}
