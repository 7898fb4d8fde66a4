package org.mscclj.conformance.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.conformance.task.Opened;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;

/** Memory on both sides of a connection, and a counter that the sender raises. Used by one thread. */
final class Transfer implements AutoCloseable {
    private static final byte UNTOUCHED = 0x5a;

    private final TransportPair pair;
    private final TransportPair.Link link;
    private final Opened opened = new Opened();
    private final Arena arena;
    private final DeviceBuffer source;
    private final DeviceBuffer target;
    private final DeviceBuffer counter;
    private final MemorySegment sent;
    private final MemorySegment received;
    private final LocalMemory localSource;
    private final RemoteMemory remoteTarget;
    private final RemoteMemory remoteCounter;
    private long signals;

    Transfer(TransportPair pair, TransportPair.Link link, long bytes) {
        this.pair = pair;
        this.link = link;
        try {
            this.arena = opened.add(Arena.ofConfined(), Arena::close);
            this.source = allocate(pair.senderDevice(), bytes);
            this.target = allocate(pair.receiverDevice(), bytes);
            this.counter = allocate(pair.receiverDevice(), Long.BYTES);
            this.sent = arena.allocate(bytes);
            this.received = arena.allocate(bytes);
            this.localSource = register(pair.sender(), source);
            this.remoteTarget = imported(pair, target);
            this.remoteCounter = imported(pair, counter);
        } catch (RuntimeException | Error e) {
            try (opened) {
                throw e;
            }
        }
    }

    private DeviceBuffer allocate(BackendDevice device, long bytes) {
        return opened.add(device.allocate(bytes), DeviceBuffer::close);
    }

    private LocalMemory register(Transport transport, DeviceBuffer buffer) {
        return opened.add(transport.register(buffer), LocalMemory::close);
    }

    private RemoteMemory imported(TransportPair pair, DeviceBuffer buffer) {
        byte[] description = register(pair.receiver(), buffer).describe();
        return opened.add(pair.sender().importMemory(description), RemoteMemory::close);
    }

    /** Fills the source with random bytes, and the target with a pattern that no check writes. */
    void fill(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (long i = 0; i < sent.byteSize(); i++) {
            sent.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        source.copyFrom(sent);
        received.fill(UNTOUCHED);
        target.copyFrom(received);
    }

    /** Changes the source, but not the bytes that are expected to arrive. */
    void spoilSource() {
        MemorySegment other = arena.allocate(sent.byteSize());
        other.fill((byte) 0);
        source.copyFrom(other);
    }

    long write(long sourceOffset, long targetOffset, long bytes) {
        return link.near().write(localSource, sourceOffset, remoteTarget, targetOffset, bytes);
    }

    long signal() {
        signals++;
        return link.near().signal(remoteCounter, 0);
    }

    /** Waits until the sources up to a position have been read. */
    void awaitCompleted(long position) {
        long start = System.nanoTime();
        while (link.progress() < position) {
            requireTime(start, "position " + position + " is not completed");
        }
    }

    /** Waits until the receiver sees every signal. */
    void awaitSignals() {
        long start = System.nanoTime();
        while (count() < signals) {
            link.progress();
            requireTime(start, "the counter is " + count() + " after " + signals + " signals");
        }
    }

    /** Waits until the listener of the receiver has been called for more signals than this number. */
    void awaitTold(int before) {
        long start = System.nanoTime();
        while (link.told().get() == before) {
            link.progress();
            requireTime(start, "the receiver was not told of a signal");
        }
    }

    long count() {
        return pair.receiverDevice().readCounter(counter, 0);
    }

    long signals() {
        return signals;
    }

    private void requireTime(long start, String what) {
        if (System.nanoTime() - start > pair.timeout().toNanos()) {
            throw new OperationTimeoutException(what + " after " + DurationText.of(pair.timeout()), List.of());
        }
        Thread.onSpinWait();
    }

    /** Describes what is wrong with the target if only this range was written; empty if nothing. */
    String difference(long sourceOffset, long targetOffset, long bytes) {
        target.copyTo(received);
        for (long i = 0; i < received.byteSize(); i++) {
            boolean written = i >= targetOffset && i < targetOffset + bytes;
            byte right = written ? sent.get(ValueLayout.JAVA_BYTE, sourceOffset + i - targetOffset) : UNTOUCHED;
            byte is = received.get(ValueLayout.JAVA_BYTE, i);
            if (is != right) {
                return "a write of " + bytes + " bytes from offset " + sourceOffset + " to offset " + targetOffset
                        + (written ? " brought " : " also wrote ") + (is & 0xff) + " to byte " + i + ", right is "
                        + (right & 0xff);
            }
        }
        return "";
    }

    @Override
    public void close() {
        opened.close();
    }
}
