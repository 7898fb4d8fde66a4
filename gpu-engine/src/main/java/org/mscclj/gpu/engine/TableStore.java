package org.mscclj.gpu.engine;

import java.util.BitSet;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;

/**
 * Places for tables of messages that are too large for a kernel's arguments: reserved before, since getting memory from
 * the driver may wait for kernels that wait for these very messages. Safe for use by several threads.
 */
final class TableStore implements AutoCloseable {
    private static final int PLACES = 16;

    /** For messages with seven peers at once, over all lanes. */
    private static final long PLACE_BYTES = 32 << 10;

    private final BackendDevice device;
    private final DeviceBuffer memory;
    private final BitSet taken = new BitSet(PLACES);

    TableStore(BackendDevice device) {
        this.device = device;
        this.memory = device.allocate(PLACES * PLACE_BYTES);
    }

    /** A place for so many bytes, until it is closed. Where all are taken, or too small, it is memory of its own. */
    TablePlace take(long bytes) {
        int place = bytes <= PLACE_BYTES ? takePlace() : PLACES;
        return place < PLACES
                ? new TablePlace(memory.slice(place * PLACE_BYTES, bytes), () -> giveBack(place))
                : TablePlace.alone(device, bytes);
    }

    /** The number of a place; too large if there is none. */
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
