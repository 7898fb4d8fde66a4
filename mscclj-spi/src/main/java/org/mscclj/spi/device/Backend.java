package org.mscclj.spi.device;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** An open device backend. Safe for use by several threads. */
public interface Backend extends AutoCloseable {
    /** The provider's name. */
    String name();

    /**
     * The number of devices, for applications that choose a device by its number; empty if the backend creates a device
     * for each rank, as on the CPU.
     */
    default OptionalInt deviceCount() {
        return OptionalInt.empty();
    }

    /**
     * Opens a device for a rank of this process. Backends with physical devices (GPUs) open device {@code n mod
     * deviceCount} for local rank {@code n}; the host backend creates a device for each call.
     *
     * @param localRank the rank's position among the ranks of this host, or the number of a device that the application
     *     has chosen, which is below {@link #deviceCount}
     */
    BackendDevice openDevice(int localRank);

    /**
     * Opens a device for each of several ranks of this process. Backends that take long to open a device open several
     * at once.
     *
     * @param localRanks as for {@link #openDevice}, one or more; may be equal
     * @return devices in this order; close each one
     */
    default List<BackendDevice> openDevices(List<Integer> localRanks) {
        List<BackendDevice> devices = new ArrayList<>();
        try {
            for (int localRank : localRanks) {
                devices.add(openDevice(localRank));
            }
        } catch (RuntimeException | Error e) {
            devices.forEach(BackendDevice::close);
            throw e;
        }
        return devices;
    }

    /** Stops the backend's threads. Close its devices first. Idempotent. */
    @Override
    void close();
}
