package org.mscclj.runtime.collective;

import org.jspecify.annotations.Nullable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.execution.operation.PreparedCall;

/**
 * The operations of recent calls, by the arguments of these calls, so that a repeated call is launched without its
 * class being found again. Looking up allocates nothing. What is kept may differ between ranks: the ranks agree on
 * classes, and a hit counts as a use of its class. What the ranks have replaced or forgotten is no hit on any of them,
 * although an operation of it may still be open on a rank where its last launch has not ended. Used by one thread at a
 * time.
 */
final class RecentCalls {
    /** A power of two; more than the buffers that a training step reduces. Two slots make a pair. */
    private static final int SLOTS = 256;

    private final ClassCache classes;
    private final @Nullable Entry[] slots = new Entry[SLOTS];

    RecentCalls(ClassCache classes) {
        this.classes = classes;
    }

    /**
     * A call that was made.
     *
     * @param inputAddress address of its input
     * @param inputBytes size of its input
     * @param outputAddress address of its output
     * @param version the version of registrations and plans for which the operation was found
     * @param sizes what was set up for the class of the call
     * @param launch what was set up for its algorithm
     */
    private record Entry(
            CollectiveCall call,
            long inputAddress,
            long inputBytes,
            long outputAddress,
            long outputBytes,
            long version,
            SizedLaunches sizes,
            CachedLaunch launch,
            PreparedCall operation) {
        static Entry of(
                CollectiveCall call, long version, SizedLaunches sizes, CachedLaunch launch, PreparedCall operation) {
            return new Entry(
                    call,
                    call.input().address(),
                    call.input().byteSize(),
                    call.output().address(),
                    call.output().byteSize(),
                    version,
                    sizes,
                    launch,
                    operation);
        }

        boolean isFor(CollectiveCall other, long now) {
            return version == now
                    && inputAddress == other.input().address()
                    && outputAddress == other.output().address()
                    && inputBytes == other.input().byteSize()
                    && outputBytes == other.output().byteSize()
                    && call.collective() == other.collective()
                    && call.type() == other.type()
                    && call.root() == other.root()
                    && call.op().equals(other.op())
                    && call.algorithm().equals(other.algorithm())
                    && call.arguments().equals(other.arguments())
                    && call.options().hints().equals(other.options().hints());
        }
    }

    /** Returns the first slot of a pair. */
    private static int pair(DeviceBuffer input, DeviceBuffer output) {
        long mixed = (input.address() * 31 + output.address()) * 31 + input.byteSize();
        mixed *= 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> (Long.SIZE - Integer.numberOfTrailingZeros(SLOTS))) & ~1;
    }

    /**
     * Returns the operation of an equal call, and counts a use of its class; null if there is none, if it is closed, or
     * if the ranks use what was set up for it no longer.
     *
     * @param version the present version of registrations and plans
     */
    @Nullable
    PreparedCall find(CollectiveCall call, long version) {
        int pair = pair(call.input(), call.output());
        PreparedCall last = use(slots[pair], call, version);
        return last == null ? use(slots[pair + 1], call, version) : last;
    }

    private @Nullable PreparedCall use(@Nullable Entry entry, CollectiveCall call, long version) {
        if (entry == null || !entry.isFor(call, version) || entry.launch.isRetired() || entry.operation.isClosed()) {
            return null;
        }
        classes.use(entry.sizes);
        return entry.operation;
    }

    /**
     * Keeps the operation of a call, and the last one before in its pair of slots: of a few calls, two often have the
     * same pair, and would replace each other in turn.
     */
    void put(CollectiveCall call, long version, SizedLaunches sizes, CachedLaunch launch, PreparedCall operation) {
        int pair = pair(call.input(), call.output());
        slots[pair + 1] = slots[pair];
        slots[pair] = Entry.of(call, version, sizes, launch, operation);
    }
}
