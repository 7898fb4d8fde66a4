package org.mscclj.runtime.channel;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.control.ClosedPeer;
import org.mscclj.runtime.proxy.ProxyAgent;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.PortChannelSpec;
import org.mscclj.spi.engine.DeviceHandle;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.proxy.TriggerFifo;
import org.mscclj.spi.waiting.Backoff;

/**
 * A port channel whose operations are triggers for this rank's proxy. An operation that does not fit one trigger is
 * split: sizes at {@link Trigger#MAX_BYTES}, offsets at windows of 4 GiB. A thread that waits for the proxy, because
 * the ring is full or for a flush, does the work of the proxy meanwhile.
 *
 * <p>Happens-before: pushing a trigger is a release, which the proxy acquires. The proxy publishes a flush with
 * release, and this channel reads it with acquire, so that the origin may then be written again. A wait acquires this
 * rank's counter.
 */
final class ProxyPortChannel implements PortChannel, Part {
    /** The semaphore and the memories of a channel; the ids are those in the proxy. */
    record Ends(
            CounterSemaphore semaphore,
            OwnChannelMemory origin,
            int originId,
            PeerChannelMemory target,
            int targetId) {}

    private final ChannelEnvironment environment;
    private final Ends ends;
    private final int peer;
    private final ProxyAgent proxy;
    private final TriggerFifo fifo;
    private final int semaphoreId;
    private final TransferWords words;
    private final Backoff backoff = new Backoff();

    /** The number of signals that were waited for. */
    private long received;

    /** Whether a put was made that no flush has covered. */
    private boolean unflushed;

    /** The handle by which kernels use this channel. Once it exists, kernels wait for the channel's signals. */
    private @Nullable DeviceHandle handle;

    private volatile boolean closed;

    ProxyPortChannel(ChannelEnvironment environment, Ends ends) {
        this.environment = environment;
        this.ends = ends;
        this.peer = ends.semaphore().connection().peer();
        this.proxy = environment.proxy();
        this.fifo = proxy.fifo();
        this.semaphoreId = ends.semaphore().proxyId();
        this.words = new TransferWords(semaphoreId, ends.originId(), ends.targetId());
    }

    @Override
    public void put(long targetOffset, long originOffset, long bytes) {
        transfer(targetOffset, originOffset, bytes, 0);
    }

    @Override
    public void putWithSignal(long targetOffset, long originOffset, long bytes) {
        transfer(targetOffset, originOffset, bytes, Trigger.SIGNAL);
    }

    @Override
    public void putWithSignalAndFlush(long targetOffset, long originOffset, long bytes, Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        long position = transfer(targetOffset, originOffset, bytes, Trigger.SIGNAL | Trigger.FLUSH);
        awaitFlush(position, timeout);
    }

    @Override
    public void signal() {
        requireOpen();
        push(0, words.word1(Trigger.SIGNAL));
    }

    @Override
    public void flush(Duration timeout) {
        requireOpen();
        Objects.requireNonNull(timeout, "timeout");
        if (unflushed) {
            awaitFlush(push(0, words.word1(Trigger.FLUSH)), timeout);
        }
    }

    /**
     * Pushes the triggers of a transfer. The last trigger also carries the flags in {@code then}. Returns the position
     * of the last trigger, or −1 if there was none to push.
     */
    private long transfer(long targetOffset, long originOffset, long bytes, int then) {
        requireOpen();
        requireRange("target", targetOffset, bytes, ends.target().byteSize());
        requireRange("origin", originOffset, bytes, ends.origin().byteSize());
        long left = bytes;
        long from = originOffset;
        long to = targetOffset;
        long position = -1;
        while (left > 0) {
            long moved = Trigger.fit(from, to, left);
            left -= moved;
            int type = left == 0 ? Trigger.DATA | then : Trigger.DATA;
            position = push(words.word0(from, moved), words.word1(from, to, type));
            unflushed = true;
            from += moved;
            to += moved;
        }
        return bytes == 0 && then != 0 ? push(0, words.word1(then)) : position;
    }

    private long push(long word0, long word1) {
        long position = fifo.tryPush(word0, word1);
        return position >= 0 ? position : pushWhenFree(word0, word1);
    }

    private long pushWhenFree(long word0, long word1) {
        backoff.start(environment.timeout());
        while (true) {
            environment.requireNotAborted("pushed a trigger for rank " + peer);
            if (proxy.doWork() > 0) {
                backoff.progressed();
            } else if (!backoff.pause()) {
                throw new OperationTimeoutException(
                        "the trigger ring of " + fifo.capacity() + " slots stayed full for "
                                + DurationText.of(environment.timeout())
                                + "; a transfer does not end: find out what the peers do, or abort",
                        List.of());
            }
            long position = fifo.tryPush(word0, word1);
            if (position >= 0) {
                return position;
            }
        }
    }

    private void awaitFlush(long position, Duration timeout) {
        if (fifo.flushed(semaphoreId) <= position) {
            backoff.start(timeout);
            while (fifo.flushed(semaphoreId) <= position) {
                environment.requireNotAborted("flushed a port channel to rank " + peer);
                if (proxy.doWork() > 0) {
                    backoff.progressed();
                } else if (!backoff.pause()) {
                    throw new OperationTimeoutException(
                            "what was put for rank " + peer + " was not flushed after " + DurationText.of(timeout)
                                    + "; find out whether the peer is alive, or wait longer",
                            List.of(peer));
                }
            }
        }
        unflushed = false;
    }

    @Override
    public long deviceHandle() {
        requireOpen();
        DeviceHandle known = handle;
        if (known == null) {
            known = createHandle();
            handle = known;
        }
        return known.address();
    }

    private DeviceHandle createHandle() {
        BackendDevice device = environment.device();
        if (!device.pushesTriggers()) {
            throw new UnsupportedException("kernels on backend " + device.backend()
                    + " cannot use port channels (DEVICE_CHANNELS); call the channel's operations from"
                    + " threads of the host");
        }
        ProxyAgent agent = environment.deviceProxy();
        String transport = ends.semaphore().connection().transport();
        CounterPool.Counter counter = ends.semaphore().own();
        return device.createPortHandle(new PortChannelSpec(
                agent.fifo(),
                ends.semaphore().deviceProxyId(),
                ends.origin().proxyId(agent, transport),
                ends.origin().byteSize(),
                ends.target().proxyId(agent, transport),
                ends.target().byteSize(),
                counter.slab().buffer().slice(counter.offset(), Long.BYTES),
                received,
                environment.abort(),
                environment.control().endOf(peer)));
    }

    @Override
    public void checkWaits() {
        if (closed) {
            throw ChannelEnvironment.closedChannel();
        }
        environment.checkWaits(peer, "a port channel");
    }

    @Override
    public boolean poll() {
        requireOpen();
        if (handle != null) {
            throw new InvalidArgumentException(
                    "kernels wait for the signals of this channel, since it has a device handle;"
                            + " wait there, or make another channel for threads of the host");
        }
        CounterPool.Counter counter = ends.semaphore().own();
        if (environment.device().readCounter(counter.slab().buffer(), counter.offset()) <= received) {
            return false;
        }
        received++;
        return true;
    }

    @Override
    public void await(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        if (poll()) {
            return;
        }
        backoff.start(timeout);
        ClosedPeer closing = new ClosedPeer(environment.control(), peer);
        while (!poll()) {
            environment.requireNotAborted("waited for rank " + peer + " on a port channel");
            if (closing.isGone()) {
                throw ClosedPeer.exception(peer, "a signal on a port channel");
            }
            if (!backoff.pause()) {
                throw new OperationTimeoutException(
                        "no signal from rank " + peer + " after " + DurationText.of(timeout)
                                + " on a port channel that has received " + received
                                + "; check that the peer signals once for every wait, or wait longer",
                        List.of(peer));
            }
        }
    }

    private static void requireRange(String name, long offset, long bytes, long byteSize) {
        if (bytes < 0 || bytes > byteSize) {
            throw InvalidArgumentException.of("bytes", bytes, "0 to " + byteSize + ", the size of the " + name);
        }
        if (offset < 0 || offset > byteSize - bytes) {
            throw InvalidArgumentException.of(
                    name + " offset",
                    offset,
                    "0 to " + (byteSize - bytes) + " for " + bytes + " of " + byteSize + " bytes");
        }
    }

    private void requireOpen() {
        if (closed) {
            throw ChannelEnvironment.closedChannel();
        }
        if (environment.abort().isSet()) {
            environment.requireNotAborted("used a port channel to rank " + peer);
        }
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try {
                if (handle != null) {
                    handle.close();
                }
            } finally {
                ends.semaphore().users().remove();
                ends.origin().users().remove();
                ends.target().users().remove();
            }
        }
    }
}
