package org.mscclj.backend.host.channel;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.PacketType;
import org.mscclj.backend.host.kernel.packet.PacketKernel;
import org.mscclj.posix.NativeMemory;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.waiting.Backoff;

/**
 * A memory channel whose operations are loads and stores of the calling thread.
 *
 * <p>Happens-before: {@link #signal} is a volatile addition to the peer's counter and {@link #poll} an acquiring load
 * of this rank's counter, so that everything before a signal is visible after the wait for it. Packets are released one
 * by one, and acquired.
 */
public final class HostMemoryChannel implements MemoryChannel {
    private static final int COUNTER_BYTES = Long.BYTES;

    private final MemoryChannelSpec spec;
    private final Range target;
    private final Range origin;
    private final Range packets;
    private final long counter;
    private final long peerCounter;
    private final PacketKernel kernel = PacketKernel.preferred();
    private final Backoff backoff = new Backoff();

    /** Number of signals waited for. */
    private long received;

    private boolean closed;

    /** A channel over parts that stay open while it is in use. The counter starts at 0. */
    public HostMemoryChannel(MemoryChannelSpec spec) {
        this.spec = spec;
        this.target = new Range("target", spec.target().address(), spec.target().byteSize());
        this.origin = new Range("origin", spec.origin().address(), spec.origin().byteSize());
        this.packets = spec.packets()
                .map(memory -> new Range("packet memory", memory.address(), memory.byteSize()))
                .orElseGet(() -> new Range("packet memory", 0, 0));
        requireCounter("counter", spec.counter().byteSize());
        requireCounter("peer's counter", spec.peerCounter().byteSize());
        this.counter = spec.counter().address();
        this.peerCounter = spec.peerCounter().address();
    }

    private static void requireCounter(String name, long bytes) {
        if (bytes < COUNTER_BYTES) {
            throw InvalidArgumentException.of(name, bytes + " bytes", "at least " + COUNTER_BYTES + " bytes");
        }
    }

    @Override
    public void put(long targetOffset, long originOffset, long bytes) {
        requireOpen();
        long to = target.at(targetOffset, bytes);
        NativeMemory.copy(origin.at(originOffset, bytes), to, bytes);
    }

    @Override
    public void get(long targetOffset, long originOffset, long bytes) {
        requireOpen();
        long from = target.at(targetOffset, bytes);
        NativeMemory.copy(from, origin.at(originOffset, bytes), bytes);
    }

    @Override
    public long read(long targetOffset) {
        requireOpen();
        // Acquire is stronger than the contract, but a word must not tear, also when it is polled.
        return NativeMemory.getLongAcquire(target.alignedAt(targetOffset, Long.BYTES, Long.BYTES));
    }

    @Override
    public void write(long targetOffset, long value) {
        requireOpen();
        NativeMemory.setLongRelease(target.alignedAt(targetOffset, Long.BYTES, Long.BYTES), value);
    }

    @Override
    public void signal() {
        requireOpen();
        NativeMemory.getAndAddLong(peerCounter, 1);
    }

    @Override
    public void signalRelaxed() {
        signal(); // must be atomic; a relaxed atomic costs as much on a CPU
    }

    @Override
    public boolean poll() {
        requireOpen();
        if (NativeMemory.getLongAcquire(counter) <= received) {
            return false;
        }
        received++;
        return true;
    }

    @Override
    public void await(Duration timeout) {
        if (poll()) {
            return;
        }
        backoff.start(timeout);
        while (!poll()) {
            requireNotAborted();
            if (!backoff.pause()) {
                throw new OperationTimeoutException(
                        "no signal from rank " + spec.peer() + " after " + DurationText.of(timeout)
                                + " on a memory channel that has received " + received
                                + "; check that the peer signals once for every wait, or wait longer",
                        List.of(spec.peer()));
            }
        }
    }

    @Override
    public void putPackets(long targetOffset, long originOffset, long bytes, int flag, PacketType type) {
        requireOpen();
        requirePayload(bytes);
        requireFlag(flag);
        long to = target.packetsAt(targetOffset, bytes);
        long from = origin.at(originOffset, bytes);
        // both packet types have one memory layout
        kernel.pack(from, to, bytes / PacketKernel.WORD_BYTES, flag);
    }

    @Override
    public void getPackets(
            long packetOffset, long originOffset, long bytes, int flag, PacketType type, Duration timeout) {
        requireOpen();
        requirePayload(bytes);
        requireFlag(flag);
        if (spec.packets().isEmpty()) {
            throw new InvalidArgumentException("this channel has no packet memory into which rank " + spec.peer()
                    + " could put packets; make it with memoryChannel(semaphore, target, origin, packets)");
        }
        long from = packets.packetsAt(packetOffset, bytes);
        long to = origin.at(originOffset, bytes);
        long words = bytes / PacketKernel.WORD_BYTES;
        long taken = kernel.unpack(from, to, words, flag);
        if (taken < words) {
            awaitPackets(from, to, words, taken, flag, timeout);
        }
    }

    private void awaitPackets(long from, long to, long words, long takenBefore, int flag, Duration timeout) {
        long taken = takenBefore;
        backoff.start(timeout);
        while (taken < words) {
            long more = kernel.unpack(
                    from + taken * PacketKernel.PACKET_BYTES,
                    to + taken * PacketKernel.WORD_BYTES,
                    words - taken,
                    flag);
            taken += more;
            if (more > 0) {
                backoff.progressed();
            } else if (taken < words) {
                requireNotAborted();
                if (!backoff.pause()) {
                    throw new OperationTimeoutException(
                            "no packet with flag " + Integer.toUnsignedString(flag) + " from rank " + spec.peer()
                                    + " after "
                                    + DurationText.of(timeout) + ": " + taken * PacketKernel.WORD_BYTES + " of "
                                    + words * PacketKernel.WORD_BYTES
                                    + " bytes have arrived; check that the peer puts as many bytes with the"
                                    + " same flag to the"
                                    + " same offset, or wait longer",
                            List.of(spec.peer()));
                }
            }
        }
    }

    private static void requirePayload(long bytes) {
        if (bytes < 0 || bytes % 8 != 0) {
            throw InvalidArgumentException.of("bytes", bytes, "multiples of 8 from 0");
        }
    }

    private static void requireFlag(int flag) {
        if (flag == 0) {
            throw InvalidArgumentException.of("flag", 0, "everything else, since fresh packet memory holds zeros");
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new InvalidArgumentException("this channel is closed; make another one");
        }
    }

    private void requireNotAborted() {
        if (spec.abort().isSet()) {
            throw spec.abort().exception("this rank waited for rank " + spec.peer() + " on a memory channel");
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
