package org.mscclj.gpu.engine;

import java.util.BitSet;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;

/**
 * Places for tables that are too large for a kernel's arguments. They are reserved beforehand: allocating memory may
 * block in the driver until kernels end that wait for these very launches. Safe for use by several threads.
 */
final class TableStore implements AutoCloseable {
    private static final int TRANSFER_PLACES = 16;

    /** Enough for transfers with seven peers at once, over all lanes. */
    private static final long TRANSFER_BYTES = 32 << 10;

    /** Enough for the launches that a class of calls keeps, of which each may have two tables. */
    private static final int PLAN_PLACES = 160;

    private static final long ALIGNMENT = 256;

    private final BackendDevice device;
    private final int places;
    private final long placeBytes;
    private final DeviceBuffer memory;
    private final BitSet taken = new BitSet();

    private TableStore(BackendDevice device, int places, long placeBytes) {
        this.device = device;
        this.places = places;
        this.placeBytes = placeBytes;
        this.memory = device.allocate(places * placeBytes);
    }

    /** A store for point-to-point transfers. */
    static TableStore ofTransfers(BackendDevice device) {
        return new TableStore(device, TRANSFER_PLACES, TRANSFER_BYTES);
    }

    /**
     * A store for launches of a plan.
     *
     * @param mostBytes size of the largest table
     */
    static TableStore ofPlan(BackendDevice device, long mostBytes) {
        return new TableStore(device, PLAN_PLACES, Math.ceilDiv(mostBytes, ALIGNMENT) * ALIGNMENT);
    }

    /**
     * Takes a place for a number of bytes, until it is closed. If all places are taken or too small, memory is
     * allocated for it.
     */
    TablePlace take(long bytes) {
        int place = bytes <= placeBytes ? takePlace() : places;
        return place < places
                ? new TablePlace(memory.slice(place * placeBytes, bytes), () -> giveBack(place))
                : TablePlace.alone(device, bytes);
    }

    /** Takes a place and returns its number, which is too large if no place is free. */
    private synchronized int takePlace() {
        int free = taken.nextClearBit(0);
        if (free < places) {
            taken.set(free);
        }
        return free;
    }

    private synchronized void giveBack(int place) {
        taken.clear(place);
    }

    @Override
    public void close() {
        memory.close();
    }
}
