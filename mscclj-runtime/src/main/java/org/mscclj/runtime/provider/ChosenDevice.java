package org.mscclj.runtime.provider;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendProvider;

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

    /**
     * Requires that no two ranks of this host have the same device, if the backend demands that.
     *
     * @param positions for each rank, the number of its device or its position on the host
     * @throws InvalidArgumentException if two ranks have the same device
     */
    public static void requireOwn(BackendProvider provider, Backend backend, List<Integer> positions) {
        OptionalInt count = backend.deviceCount();
        if (provider.sharesDevices() || count.isEmpty()) {
            return;
        }
        int devices = count.getAsInt();
        Map<Integer, Integer> owners = new HashMap<>();
        for (int position : positions) {
            Integer other = owners.putIfAbsent(position % devices, position);
            if (other != null) {
                throw new InvalidArgumentException("ranks at positions " + other + " and " + position
                        + " of this host have device " + position % devices + " of backend " + provider.name()
                        + ", which gives a device to one rank; it has " + devices
                        + ": use at most as many ranks on this host, or another backend");
            }
        }
    }
}
