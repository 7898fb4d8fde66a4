package org.mscclj.support.device;

import java.util.function.IntFunction;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;

/**
 * A backend without threads and other resources, which creates a device for each rank.
 *
 * @param name the provider's name
 * @param devices creates a device; its argument is the rank's position among the ranks of this host
 */
public record SimpleBackend(String name, IntFunction<? extends BackendDevice> devices) implements Backend {
    @Override
    public BackendDevice openDevice(int localRank) {
        return devices.apply(localRank);
    }

    @Override
    public void close() {
        // devices have their own owners
    }
}
