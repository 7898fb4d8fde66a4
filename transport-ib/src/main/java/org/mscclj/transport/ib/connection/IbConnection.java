package org.mscclj.transport.ib.connection;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.OperationQueue;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.transport.ib.adapter.QueuePairOwner;
import org.mscclj.transport.ib.ffm.CompletionQueue;
import org.mscclj.transport.ib.ffm.CompletionStatus;
import org.mscclj.transport.ib.memory.IbLocalMemory;
import org.mscclj.transport.ib.memory.IbRemoteMemory;

/**
 * A connection to one peer over one or more queue pairs, its lanes. All work is done by the calling thread.
 *
 * <p>Small operations use the first lane. A large write is spread over all lanes. Lanes do not wait for each other, so
 * an operation on one lane is posted only when the operations before it on other lanes have taken effect.
 */
final class IbConnection implements TransportConnection, QueuePairOwner {
    /** The least bytes of a part of a write that is spread over lanes. */
    private static final long LEAST_PART = 256 << 10;

    private static final long PAGE = 4096;

    /** No lane. */
    private static final int NONE = -1;

    private final QueuePairs pairs;
    private final SendLane[] lanes;
    private final CompletionQueue[] completions;
    private final BackendDevice device;
    private final Consumer<IbConnection> onClose;
    private final boolean atomics;
    private final long peerBlock;
    private final long largestMessage;
    private final String peerName;
    private final @Nullable IncomingSignals incoming;
    private final OperationQueue<IbLocalMemory, IbRemoteMemory> waiting = new OperationQueue<>();
    private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();

    private volatile @Nullable ConnectionListener listener;
    private volatile boolean closed;

    /** The next entry of the peer's ring. */
    private int slot;

    private long completed;

    /** The latest operation when {@link #completed} was called before. */
    private long polled;

    /**
     * Why the connection has failed.
     *
     * @param status the status of the completion; 0 if there is none
     */
    private record Failure(String reason, int status, boolean peerLost) {}

    /**
     * Creates a connection over connected queue pairs.
     *
     * @param peer what the peer has described
     * @param atomics whether signals are atomic operations
     * @param incoming takes the peer's signals if they are not atomic operations; null otherwise
     */
    IbConnection(
            QueuePairs pairs,
            EndDescription peer,
            boolean atomics,
            @Nullable IncomingSignals incoming,
            BackendDevice device,
            Consumer<IbConnection> onClose) {
        this.pairs = pairs;
        this.lanes = pairs.lanes().toArray(SendLane[]::new);
        this.completions = pairs.completions().toArray(CompletionQueue[]::new);
        this.peerBlock = peer.block();
        this.atomics = atomics;
        this.incoming = incoming;
        this.largestMessage = pairs.largestMessage();
        this.peerName = pairs.peerName();
        this.device = device;
        this.onClose = onClose;
    }

    // Posting.

    @Override
    public long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
        requireUsable();
        waiting.add(IbLocalMemory.of(source), sourceOffset, IbRemoteMemory.of(target), targetOffset, bytes);
        return post();
    }

    @Override
    public long signal(RemoteMemory target, long targetOffset) {
        requireUsable();
        waiting.addSignal(IbRemoteMemory.of(target), targetOffset);
        return post();
    }

    private long post() {
        long position = waiting.added();
        pump();
        return position;
    }

    @Override
    public long completed() {
        if (completed < waiting.added()) {
            requireUsable();
            poll();
            pump();
            submit(waiting.added() == polled);
            polled = waiting.added();
            long reached = effective();
            if (reached > completed) {
                completed = reached;
            }
        }
        return completed;
    }

    /** The position up to which all operations have taken effect. */
    private long effective() {
        long reached = waiting.removed();
        for (SendLane lane : lanes) {
            if (!lane.isQuiet()) {
                reached = Math.min(reached, lane.effective());
            }
        }
        return reached;
    }

    /** Posts operations that wait, as far as the send queues take them. */
    private void pump() {
        try {
            while (!waiting.isEmpty() && postFirst()) {
                // the next one
            }
        } catch (BackendException e) {
            throw refused(e);
        }
    }

    /**
     * Rings the doorbells for what is posted, with a fence behind the last operation if a fence is due.
     *
     * @param paused whether no operation has come since the call before: if more come, one fence serves them all
     */
    private void submit(boolean paused) {
        try {
            for (SendLane lane : lanes) {
                if (waiting.isEmpty() && !lane.isQuiet() && (paused || lane.isFenceDue())) {
                    lane.fence(peerBlock);
                }
                lane.submit();
            }
        } catch (BackendException e) {
            throw refused(e);
        }
    }

    private BackendException refused(BackendException e) {
        fail(new Failure(about("an operation was refused: " + e.getMessage()), 0, false));
        return e;
    }

    /** Posts a part of the first operation; false if it has to wait. */
    private boolean postFirst() {
        return waiting.isSignal() ? postSignal() : postPart();
    }

    private boolean postSignal() {
        if (!areQuietBeside(0) || !makeCapacity(lanes[0])) {
            return false;
        }
        long position = waiting.removed() + 1;
        if (atomics) {
            lanes[0].increment(position, waiting.target(), waiting.targetOffset());
        } else {
            lanes[0].ring(position, peerBlock, slot, waiting.target(), waiting.targetOffset());
            slot = (slot + 1) % ControlBlock.RING;
        }
        return waiting.advance(0);
    }

    /**
     * Posts a part of the first write. Parts end at whole words of the target, and a message begins at one, since
     * adapters cut messages into packets: so words arrive whole.
     */
    private boolean postPart() {
        long total = waiting.total();
        if (total == 0) {
            return waiting.advance(0); // complete with the operations before it
        }
        long done = total - waiting.left();
        long part = partBytes(total);
        if (done == 0 && !areQuietBeside(total > part ? NONE : 0)) {
            return false;
        }
        long beyondWord = waiting.target().address() + waiting.targetOffset() - done & Long.BYTES - 1;
        long place = done + beyondWord;
        SendLane lane = lanes[(int) (place / part % lanes.length)];
        if (!makeCapacity(lane)) {
            return false;
        }
        long rest = done == 0 && beyondWord != 0 ? Long.BYTES - beyondWord : part - place % part;
        int bytes = (int) Math.min(Math.min(rest, waiting.left()), largestMessage);
        lane.write(
                waiting.removed() + 1,
                waiting.source(),
                waiting.sourceOffset(),
                waiting.target(),
                waiting.targetOffset(),
                bytes);
        boolean _ = waiting.advance(bytes);
        return true;
    }

    /** The bytes of a write that stay on one lane. */
    private long partBytes(long total) {
        if (lanes.length == 1) {
            return Long.MAX_VALUE / 2; // all
        }
        long even = (total + lanes.length - 1) / lanes.length;
        return Math.max(LEAST_PART, even + PAGE - 1 & -PAGE);
    }

    /** Whether all operations on the lanes beside this one have taken effect; fences those that are not quiet. */
    private boolean areQuietBeside(int index) {
        boolean quiet = true;
        for (int i = 0; i < lanes.length; i++) {
            if (i != index && lanes.length > 1 && !lanes[i].isQuiet()) {
                lanes[i].fence(peerBlock);
                quiet = false;
            }
        }
        return quiet;
    }

    private boolean makeCapacity(SendLane lane) {
        if (lane.hasCapacity()) {
            return true;
        }
        lane.submit();
        poll();
        return lane.hasCapacity();
    }

    // Completions.

    private void poll() {
        for (CompletionQueue queue : completions) {
            for (int count = queue.poll(); count > 0; count = queue.poll()) {
                for (int i = 0; i < count; i++) {
                    SendLane lane = lanes[(int) (queue.request(i) >>> SendLane.NUMBER_BITS)];
                    if (queue.status(i) != CompletionStatus.SUCCESS) {
                        failed(lane, queue.request(i), queue.status(i), queue.vendorError(i));
                    }
                    lane.completed(queue.request(i), atomics);
                }
            }
        }
    }

    private void failed(SendLane lane, long number, int status, int vendorError) {
        fail(new Failure(
                about(lane.describe(number) + " failed: " + CompletionStatus.describe(status)
                        + " (the adapter's code is " + vendorError + ")"),
                status,
                !CompletionStatus.isLocal(status)));
        requireUsable();
    }

    private String about(String what) {
        return "connection over ib to " + peerName + ": " + what;
    }

    // Ending.

    /** Keeps the first failure. */
    private void fail(Failure why) {
        failure.compareAndSet(null, why);
    }

    private void requireUsable() {
        Failure why = failure.get();
        if (why != null) {
            throw new BackendException(why.reason, why.status, CompletionStatus.symbol(why.status));
        }
        if (closed) {
            throw new InvalidArgumentException("the connection over ib is closed; connect again");
        }
    }

    @Override
    public boolean isPeerLost() {
        Failure why = failure.get();
        return why != null && why.peerLost;
    }

    @Override
    public void ended(String reason) {
        Failure why = new Failure(about(reason), 0, true);
        if (!closed && failure.compareAndSet(null, why)) {
            ConnectionListener observer = listener;
            if (observer != null) {
                observer.failed(why.reason);
            }
        }
    }

    @Override
    public void announced() {
        if (incoming == null) {
            return;
        }
        int taken;
        try {
            taken = incoming.take();
        } catch (BackendException e) {
            ended("signals cannot be received any more: " + e.getMessage());
            return;
        }
        ConnectionListener observer = listener;
        if (taken > 0) {
            device.wake();
            if (observer != null) {
                observer.signalled();
            }
        }
    }

    @Override
    public void listen(ConnectionListener to) {
        listener = to;
        Failure why = failure.get();
        if (why != null) {
            to.failed(why.reason);
        } else {
            announced(); // signals that came before
        }
    }

    @Override
    public boolean tellsSignals() {
        return incoming != null;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (incoming != null) {
            incoming.close();
        }
        waiting.clear();
        pairs.close();
        onClose.accept(this);
    }
}
