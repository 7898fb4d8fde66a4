package org.mscclj.spi.device;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** An open device backend. Safe for use by several threads. */
public interface Backend extends AutoCloseable {
    /** The provider's name. */
    String name();

    /**
     * How many devices there are, for applications that choose one by its number; empty if one is made for each rank,
     * as on the CPU.
     */
    default OptionalInt deviceCount() {
        return OptionalInt.empty();
    }

    /**
     * A device for a rank of this process. Backends whose devices are real (GPUs) give local rank {@code n} device
     * {@code n mod deviceCount}; the host backend makes one for each call.
     *
     * @param localRank the rank's position among those of this host, or the number of a device that the application has
     *     chosen, which is below {@link #deviceCount}
     */
    BackendDevice openDevice(int localRank);

    /**
     * A device for each of several ranks of this process. Backends for which opening one takes long open several at
     * once.
     *
     * @param localRanks as of {@link #openDevice}, one or more; may be equal
     * @return devices in this order, each to be closed by itself
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
