package org.mscclj.support.stream;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.Lateness;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.support.memory.Memory;

/**
 * A stream whose work one thread of its own carries out in order. The thread starts with the first work, and ends when
 * the stream is closed. Work takes its ticket and its place in the queue under the stream's monitor, so that both
 * orders agree; the queue hands the work over to the thread. Captures are not supported.
 */
public final class InOrderStream implements Stream {
    private record Entry(StreamWork work, long ticket, boolean last) {}

    private static final StreamWork NONE = _ -> {};

    private final BackendDevice device;
    private final Memory memory;
    private final LinkedBlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
    private final EndCounter ended = new EndCounter();
    private volatile StreamWork front = NONE;
    private @Nullable Thread thread;
    private long enqueued;
    private boolean closed;

    /**
     * A stream without work.
     *
     * @param device the stream's device, whose memory copies use
     * @param memory the device's memory
     */
    public InOrderStream(BackendDevice device, Memory memory) {
        this.device = device;
        this.memory = memory;
    }

    /**
     * Casts a stream to a stream of this kind.
     *
     * @throws InvalidArgumentException if it belongs to another backend
     */
    public static InOrderStream of(Stream stream) {
        Objects.requireNonNull(stream, "stream");
        if (stream instanceof InOrderStream own) {
            return own;
        }
        throw InvalidArgumentException.of(
                "stream", stream.getClass().getName(), "a stream created by a device of the operation's backend");
    }

    @Override
    public BackendDevice device() {
        return device;
    }

    /**
     * Enqueues work.
     *
     * @param tickets supplies the ticket of the work when it takes its place
     * @return the ticket
     */
    public synchronized long enqueue(StreamWork work, LongSupplier tickets) {
        if (closed) {
            throw new InvalidArgumentException("this stream is closed; create another one");
        }
        if (thread == null) {
            thread = Thread.ofPlatform()
                    .daemon()
                    .name("mscclj-stream-" + device.backend() + "-" + device.index())
                    .start(this::carryOut);
        }
        long ticket = tickets.getAsLong();
        queue.add(new Entry(work, ticket, false));
        enqueued++;
        return ticket;
    }

    private void carryOut() {
        boolean interrupted = false;
        @Nullable Entry entry;
        do {
            entry = null;
            while (entry == null) {
                try {
                    entry = queue.take();
                } catch (InterruptedException e) {
                    interrupted = true; // what was enqueued must be carried out
                }
            }
            front = entry.work();
            entry.work().run(entry.ticket());
            front = NONE;
            ended.increment();
        } while (!entry.last());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void copy(DeviceBuffer source, DeviceBuffer destination) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
        if (source.byteSize() != destination.byteSize()) {
            throw InvalidArgumentException.of(
                    "destination of a copy",
                    destination.byteSize() + " bytes",
                    source.byteSize() + " bytes, like the source");
        }
        Copy copy = new Copy(source, destination);
        try {
            long _ = enqueue(copy, () -> 0);
        } catch (RuntimeException e) {
            copy.release();
            throw e;
        }
    }

    /** A copy, which keeps its buffers from being closed. */
    private final class Copy implements StreamWork {
        private final DeviceBuffer source;
        private final DeviceBuffer destination;

        Copy(DeviceBuffer source, DeviceBuffer destination) {
            this.source = source;
            this.destination = destination;
            device.retain(source);
            try {
                device.retain(destination);
            } catch (RuntimeException e) {
                device.release(source);
                throw e;
            }
        }

        void release() {
            device.release(source);
            device.release(destination);
        }

        @Override
        public void run(long ticket) {
            memory.copy(source.address(), destination.address(), source.byteSize());
            release();
        }
    }

    @Override
    public synchronized void record(Event event) {
        InOrderEvent own = InOrderEvent.of(event);
        long _ = enqueue(NONE, () -> 0);
        own.recorded(new InOrderEvent.Point(ended, enqueued));
    }

    @Override
    public void await(Event event) {
        InOrderEvent.Point point = InOrderEvent.of(event).latest();
        await(point.stream(), point.position());
    }

    /** Orders work that is enqueued from now on after other work, as counted elsewhere. */
    public void await(EndCounter count, long number) {
        long _ = enqueue(_ -> count.awaitUninterruptibly(number), () -> 0);
    }

    @Override
    public void synchronize(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        long target;
        synchronized (this) {
            target = enqueued;
        }
        if (!ended.await(target, TimeUnit.NANOSECONDS.convert(timeout))) {
            if (Thread.currentThread().isInterrupted()) {
                throw new AbortedException("interrupted while waiting for a stream");
            }
            List<LaunchOrder> orders = front.orders();
            throw Lateness.ofStream(target - ended.count() + " operations of a stream", timeout, orders);
        }
    }

    @Override
    public void close() {
        long last;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (thread == null) {
                return;
            }
            queue.add(new Entry(NONE, 0, true));
            last = enqueued + 1;
        }
        ended.awaitUninterruptibly(last);
    }
}
