package org.mscclj.spi.device;

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

    /** Stops the backend's threads. Close its devices first. Idempotent. */
    @Override
    void close();
}
