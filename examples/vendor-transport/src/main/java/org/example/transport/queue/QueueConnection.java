package org.example.transport.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.mscclj.spi.transport.ConnectionListener;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/** Operations wait in a queue; a thread carries them out in order. */
final class QueueConnection implements TransportConnection {
    private final ExecutorService queue =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("queue-transport").factory());
    private volatile ConnectionListener listener;
    private volatile long completed;
    private long posted;

    @Override
    public long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
        QueueMemory memory = (QueueMemory) target;
        MemorySegment from = ((QueueMemory) source).buffer().segment().asSlice(sourceOffset, bytes);
        MemorySegment to = memory.buffer().segment().asSlice(targetOffset, bytes);
        return post(memory, () -> copy(from, to));
    }

    @Override
    public long signal(RemoteMemory target, long targetOffset) {
        QueueMemory memory = (QueueMemory) target; // raising its counter releases what was copied before
        return post(memory, () -> memory.device().raiseCounter(memory.buffer(), targetOffset));
    }

    /** Aligned words are stored whole, as packets must be. */
    private static void copy(MemorySegment from, MemorySegment to) {
        for (long at = 0, step; at < to.byteSize(); at += step) {
            step = (to.address() + at) % 8 == 0 && to.byteSize() - at >= 8 ? 8 : 1;
            if (step == 8) {
                ValueLayout.JAVA_LONG.varHandle().setRelease(to, at, from.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
            } else {
                to.set(ValueLayout.JAVA_BYTE, at, from.get(ValueLayout.JAVA_BYTE, at));
            }
        }
    }

    private long post(QueueMemory target, Runnable operation) {
        long position = ++posted;
        queue.execute(() -> {
            try {
                operation.run();
                target.device().wake(); // a thread there may wait for the signal, or for a packet
                completed = position;
                listener.progressed();
            } catch (RuntimeException e) {
                listener.failed("operation " + position + " failed: " + e); // aborts the communicator
            }
        });
        return position;
    }

    @Override
    public long completed() {
        return completed;
    }

    @Override
    public void listen(ConnectionListener to) {
        listener = to;
    }

    @Override
    public void close() {
        queue.shutdown();
    }
}
