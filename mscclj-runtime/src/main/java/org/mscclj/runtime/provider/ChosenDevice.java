package org.mscclj.runtime.provider;

import java.util.OptionalInt;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.Backend;

/**
 * Checks device numbers that applications choose. A position on a host selects devices in turn, but a chosen device
 * must exist.
 */
public final class ChosenDevice {
    private ChosenDevice() {}

    /**
     * Requires that a device exists.
     *
     * @throws InvalidArgumentException if it does not exist
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
