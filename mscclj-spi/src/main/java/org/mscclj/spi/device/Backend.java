package org.mscclj.spi.device;

import java.util.ArrayList;
import java.util.List;

/** An open device backend. Safe for use by several threads. */
public interface Backend extends AutoCloseable {
    /** The provider's name. */
    String name();

    /**
     * A device for a rank of this process. Backends whose devices are real (GPUs) give local rank {@code n} device {@code n
     * mod deviceCount}; the host backend makes one for each call.
     *
     * @param localRank the rank's position among those of this host
     */
    BackendDevice openDevice(int localRank);

    /**
     * Devices for the local ranks 0 to {@code ranks − 1}, in this order. Backends for which opening one takes long open several at once.
     *
     * @param ranks ranks of this process, 1 or more
     */
    default List<BackendDevice> openDevices(int ranks) {
        List<BackendDevice> devices = new ArrayList<>();
        try {
            for (int rank = 0; rank < ranks; rank++) {
                devices.add(openDevice(rank));
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
