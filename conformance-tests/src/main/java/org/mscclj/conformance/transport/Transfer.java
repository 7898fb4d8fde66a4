package org.mscclj.conformance.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;

/** Memory on both sides of a connection, and a counter that the sender raises. Used by one thread. */
final class Transfer implements AutoCloseable {
    private static final byte UNTOUCHED = 0x5a;

    private final TransportPair pair;
    private final TransportPair.Link link;
    private final Arena arena = Arena.ofConfined();
    private final DeviceBuffer source;
    private final DeviceBuffer target;
    private final DeviceBuffer counter;
    private final MemorySegment sent;
    private final MemorySegment received;
    private final LocalMemory localSource;
    private final LocalMemory registeredTarget;
    private final LocalMemory registeredCounter;
    private final RemoteMemory remoteTarget;
    private final RemoteMemory remoteCounter;
    private long signals;

    Transfer(TransportPair pair, TransportPair.Link link, long bytes) {
        this.pair = pair;
        this.link = link;
        this.source = pair.senderDevice().allocate(bytes);
        this.target = pair.receiverDevice().allocate(bytes);
        this.counter = pair.receiverDevice().allocate(Long.BYTES);
        this.sent = arena.allocate(bytes);
        this.received = arena.allocate(bytes);
        this.localSource = pair.sender().register(source);
        this.registeredTarget = pair.receiver().register(target);
        this.registeredCounter = pair.receiver().register(counter);
        this.remoteTarget = pair.sender().importMemory(registeredTarget.describe());
        this.remoteCounter = pair.sender().importMemory(registeredCounter.describe());
    }

    /** Fills the source at random and the target with what nobody writes. */
    void fill(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (long i = 0; i < sent.byteSize(); i++) {
            sent.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        source.copyFrom(sent);
        received.fill(UNTOUCHED);
        target.copyFrom(received);
    }

    /** Changes the source, not what is expected to arrive. */
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

    long count() {
        return pair.receiverDevice().readCounter(counter, 0);
    }

    long signals() {
        return signals;
    }

    private void requireTime(long start, String what) {
        if (System.nanoTime() - start > pair.timeout().toNanos()) {
            throw new OperationTimeoutException(what + " after " + pair.timeout(), List.of());
        }
        Thread.onSpinWait();
    }

    /** What is wrong with the target if nothing but this range was written; empty if nothing. */
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
        remoteTarget.close();
        remoteCounter.close();
        localSource.close();
        registeredTarget.close();
        registeredCounter.close();
        source.close();
        target.close();
        counter.close();
        arena.close();
    }
}
