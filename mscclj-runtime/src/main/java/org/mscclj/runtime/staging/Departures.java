package org.mscclj.runtime.staging;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.StagingCopies;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.OperationQueue;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/**
 * The operations of this rank on a connection, in order. The device copies each part of a write into a free slot; then
 * the transport writes the slot to the peer's slot and signals the peer. A slot is free again when the peer has taken
 * its part.
 *
 * <p>Happens-before: a copy has ended before the transport reads the slot. The peer sees the slot behind the signal.
 * The peer counts a part as taken after its own copy has ended, so this rank overwrites a slot, and the peer's slot,
 * only after that. Used by one thread at a time.
 */
final class Departures {
    private final TransportConnection connection;
    private final DeviceBuffer buffer;
    private final Slots slots;
    private final LocalMemory own;
    private final RemoteMemory peer;
    private final StagingCopies copies;

    /** For each slot, the number of the copy into it. */
    private final long[] copied = new long[Slots.COUNT];

    /** For each slot, the last operation that is complete when the part has been taken. */
    private final long[] completes = new long[Slots.COUNT];

    /** For each slot, the bytes to write. */
    private final long[] sizes = new long[Slots.COUNT];

    private final OperationQueue<StagedMemory, StagedTarget> queue = new OperationQueue<>();
    private long filled;
    private long sent;
    private long taken;
    private long completed;

    /**
     * Creates the operations of a connection.
     *
     * @param connection carries slots and their signals
     * @param end the memory of this end
     * @param peer the memory of the peer's end
     * @param copies copy into slots
     */
    Departures(TransportConnection connection, StagedEnd end, RemoteMemory peer, StagingCopies copies) {
        this.connection = connection;
        this.buffer = end.buffer();
        this.slots = end.slots();
        this.own = end.memory();
        this.peer = peer;
        this.copies = copies;
    }

    /** Starts a write; returns its position. */
    long write(StagedMemory source, long sourceOffset, StagedTarget target, long targetOffset, long bytes) {
        queue.add(source, sourceOffset, target, targetOffset, bytes);
        long position = queue.added();
        advance();
        return position;
    }

    /** Starts a signal; returns its position. */
    long signal(StagedTarget target, long targetOffset) {
        queue.addSignal(target, targetOffset);
        long position = queue.added();
        advance();
        return position;
    }

    /** Does what can be done now; returns the last operation that is complete. */
    long completed() {
        advance();
        return completed;
    }

    private void advance() {
        take();
        while (!queue.isEmpty() && filled - taken < Slots.COUNT) {
            fill();
        }
        while (sent < filled && copied[slot(sent)] <= copies.ended()) {
            long offset = Slots.leaving(sent);
            connection.write(own, offset, peer, Slots.arriving(sent), sizes[slot(sent)]);
            connection.signal(peer, Slots.ARRIVED);
            sent++;
        }
        if (taken < sent) {
            long _ = connection.completed(); // for transports that make progress in calls
        }
    }

    private void take() {
        long now = slots.counter(Slots.TAKEN);
        if (now > taken) {
            if (now > sent) {
                throw new IllegalStateException("the peer has taken " + now + " parts of " + sent
                        + "; its software differs from this rank's: use the same version on all hosts");
            }
            taken = now;
            completed = completes[slot(now - 1)];
        }
    }

    /** Fills the next slot with a part of the first operation. */
    private void fill() {
        long slot = Slots.leaving(filled);
        StagedTarget target = queue.target();
        long start = Slots.start(0);
        if (queue.isSignal()) {
            slots.describe(slot, target.id(), queue.targetOffset(), Slots.SIGNAL, start);
            sizes[slot(filled)] = start;
            copied[slot(filled)] = 0;
            boolean _ = queue.advance(0);
        } else {
            StagedMemory source = queue.source();
            long from = queue.sourceOffset();
            start = Slots.start(source.address() + from);
            long bytes = Math.min(queue.left(), Slots.room(start));
            slots.describe(slot, target.id(), queue.targetOffset(), bytes, start);
            if (bytes > 0) {
                long copy = source.copyTo(buffer.slice(slot + start, bytes), from);
                requireOpen(copy > 0);
                copied[slot(filled)] = copy;
            }
            sizes[slot(filled)] = start + bytes;
            boolean _ = queue.advance(bytes);
        }
        completes[slot(filled)] = queue.removed();
        filled++;
    }

    private static void requireOpen(boolean open) {
        if (!open) {
            throw new InvalidArgumentException("the source of a write is no longer registered: end its writes first");
        }
    }

    private static int slot(long part) {
        return (int) (part % Slots.COUNT);
    }

    /** Waits until no copy writes into a slot. */
    void close() {
        for (long copy : copied) {
            HostCopies.await(copies, copy);
        }
    }
}
