package org.mscclj.runtime.staging;

import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.StagingCopies;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;

/**
 * The operations of the peer on a connection. The device copies the data of each part that has arrived into its target.
 * A signal raises its counter when the copies of all parts before it have ended. Each part that has taken effect is
 * reported to the peer. Used by the thread of the transport.
 *
 * <p>Happens-before: the thread sees a part behind the counter of arrived parts, by an acquiring load. It sees the end
 * of the copies before it raises a counter of the device, which releases.
 */
final class Arrivals {
    private final TransportConnection answers;
    private final StagedMemories memories;
    private final DeviceBuffer buffer;
    private final Slots slots;
    private final RemoteMemory peer;
    private final StagingCopies copies;

    /** For each slot, the number of the copy out of it. */
    private final long[] copied = new long[Slots.COUNT];

    /** The position of the latest report, and the last position that has reached the peer. */
    private long reported;

    private long delivered;
    private long begun;
    private long taken;

    /**
     * Creates the operations of the peer.
     *
     * @param answers carries the reports to the peer
     * @param memories the memory that the peer may write
     * @param end the memory of this end
     * @param peer the memory of the peer's end
     * @param copies copy out of slots
     */
    Arrivals(
            TransportConnection answers,
            StagedMemories memories,
            StagedEnd end,
            RemoteMemory peer,
            StagingCopies copies) {
        this.answers = answers;
        this.memories = memories;
        this.buffer = end.buffer();
        this.slots = end.slots();
        this.peer = peer;
        this.copies = copies;
    }

    /**
     * Does what can be done now.
     *
     * @return whether a signal of the peer was counted
     */
    boolean advance() {
        long arrived = slots.counter(Slots.ARRIVED);
        if (arrived - taken > Slots.COUNT) {
            throw new IllegalStateException("the peer has sent " + (arrived - taken) + " parts for " + Slots.COUNT
                    + " slots; its software differs from this rank's: use the same version on all hosts");
        }
        boolean signalled = false;
        boolean goesOn = true;
        while (goesOn) {
            report();
            goesOn = begun < arrived;
            if (goesOn) {
                long slot = Slots.arriving(begun);
                boolean isSignal = slots.bytes(slot) == Slots.SIGNAL;
                if (isSignal && taken < begun) {
                    goesOn = false; // the copies before it have not ended
                } else if (isSignal) {
                    raise(slot);
                    copied[(int) (begun % Slots.COUNT)] = 0;
                    begun++;
                    signalled = true;
                } else {
                    copied[(int) (begun % Slots.COUNT)] = copy(slot);
                    begun++;
                }
            }
        }
        if (delivered < reported) {
            delivered = answers.completed(); // for transports that make progress in calls
        }
        return signalled;
    }

    /** Returns a number that grows with each part that is begun or reported, and each report that is delivered. */
    long progress() {
        return begun + taken + delivered;
    }

    /** Whether copies or reports are in flight, so that there is something to do though nothing arrives. */
    boolean isPending() {
        return taken < begun || delivered < reported;
    }

    /** Reports the parts whose copies have ended. */
    private void report() {
        while (taken < begun && copied[(int) (taken % Slots.COUNT)] <= copies.ended()) {
            reported = answers.signal(peer, Slots.TAKEN);
            taken++;
        }
    }

    private void raise(long slot) {
        StagedMemory target = target(slot, Long.BYTES);
        if (target != null) {
            target.raise(slots.offset(slot));
        }
    }

    /** Starts the copy of a part; returns its number, or 0 if there is none. */
    private long copy(long slot) {
        long bytes = slots.bytes(slot);
        StagedMemory target = target(slot, bytes);
        return target == null || bytes == 0
                ? 0
                : target.copyFrom(buffer.slice(slot + slots.dataStart(slot), bytes), slots.offset(slot));
    }

    /** Returns the target of a part; null if its registration has ended, so that the part has no effect. */
    private @Nullable StagedMemory target(long slot, long bytes) {
        long id = slots.id(slot);
        long offset = slots.offset(slot);
        StagedMemory memory = memories.find(id);
        boolean isSane = memory == null
                ? memories.wasGiven(id)
                : memory.contains(offset, bytes) && bytes <= Slots.room(slots.dataStart(slot));
        if (!isSane) {
            throw new IllegalStateException("the peer has sent " + bytes + " bytes for offset " + offset + " of memory "
                    + id + (memory == null ? ", which was never registered" : " of " + memory.byteSize() + " bytes")
                    + "; its software differs from this rank's: use the same version on all hosts");
        }
        return memory;
    }

    /** Waits until no copy reads a slot. */
    void close() {
        for (long copy : copied) {
            HostCopies.await(copies, copy);
        }
    }
}
