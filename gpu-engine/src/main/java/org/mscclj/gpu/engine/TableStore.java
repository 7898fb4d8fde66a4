package org.mscclj.gpu.engine;

import java.util.BitSet;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;

/**
 * Places for tables of point-to-point transfers that are too large for a kernel's arguments. They are reserved
 * beforehand: allocating memory may block in the driver until kernels end that wait for these very transfers. Safe for
 * use by several threads.
 */
final class TableStore implements AutoCloseable {
    private static final int PLACES = 16;

    /** Enough for transfers with seven peers at once, over all lanes. */
    private static final long PLACE_BYTES = 32 << 10;

    private final BackendDevice device;
    private final DeviceBuffer memory;
    private final BitSet taken = new BitSet(PLACES);

    TableStore(BackendDevice device) {
        this.device = device;
        this.memory = device.allocate(PLACES * PLACE_BYTES);
    }

    /**
     * Takes a place for a number of bytes, until it is closed. If all places are taken or too small, memory is
     * allocated for it.
     */
    TablePlace take(long bytes) {
        int place = bytes <= PLACE_BYTES ? takePlace() : PLACES;
        return place < PLACES
                ? new TablePlace(memory.slice(place * PLACE_BYTES, bytes), () -> giveBack(place))
                : TablePlace.alone(device, bytes);
    }

    /** Takes a place and returns its number, which is too large if no place is free. */
    private synchronized int takePlace() {
        int free = taken.nextClearBit(0);
        if (free < PLACES) {
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
