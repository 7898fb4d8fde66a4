package org.mscclj.runtime.provider;

import java.util.OptionalInt;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.Backend;

/**
 * Checks numbers of devices that applications choose: a position on a host goes round all devices, a device that was
 * chosen must be there.
 */
public final class ChosenDevice {
    private ChosenDevice() {}

    /**
     * Requires that a device is there.
     *
     * @throws InvalidArgumentException if it is not
     */
    public static void require(Backend backend, int device, int rank) {
        OptionalInt count = backend.deviceCount();
        if (count.isPresent() && device >= count.getAsInt()) {
            throw InvalidArgumentException.of(
                    "device of rank " + rank,
                    device,
                    "0 to " + (count.getAsInt() - 1) + ", since backend " + backend.name() + " has "
                            + count.getAsInt());
        }
    }
}
