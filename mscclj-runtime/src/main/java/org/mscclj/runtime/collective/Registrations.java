package org.mscclj.runtime.collective;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.runtime.signature.Place;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;

/**
 * The registered memory of a communicator on one rank. Allocations are collective. A number, in the order of
 * allocation, therefore identifies one allocation on all ranks; no number is used twice. Safe for use by several
 * threads.
 */
final class Registrations {
    private final BackendDevice device;
    private final ConcurrentSkipListMap<Long, Registration> byAddress = new ConcurrentSkipListMap<>();
    private long last;

    /** One allocation, from its creation to its close. */
    private final class Registration implements BufferUser {
        private final long number;
        private final DeviceBuffer buffer;

        Registration(long number, DeviceBuffer buffer) {
            this.number = number;
            this.buffer = buffer;
        }

        boolean contains(DeviceBuffer part) {
            return part.address() + part.byteSize() <= buffer.address() + buffer.byteSize();
        }

        Place placeOf(DeviceBuffer part) {
            return new Place(number, part.address() - buffer.address());
        }

        @Override
        public boolean isUsing() {
            return false;
        }

        @Override
        public void bufferClosed() {
            byAddress.remove(buffer.address(), this);
        }
    }

    Registrations(BackendDevice device) {
        this.device = device;
    }

    /** Registers a buffer that all ranks have just allocated. */
    void add(DeviceBuffer buffer) {
        last++;
        if (buffer.byteSize() > 0) {
            Registration registration = new Registration(last, buffer);
            byAddress.put(buffer.address(), registration);
            device.addUser(buffer, registration);
        }
    }

    /** Returns the location of a buffer. */
    Place placeOf(DeviceBuffer buffer) {
        Map.Entry<Long, Registration> below = byAddress.floorEntry(buffer.address());
        return below != null && below.getValue().contains(buffer)
                ? below.getValue().placeOf(buffer)
                : Place.PLAIN;
    }
}
