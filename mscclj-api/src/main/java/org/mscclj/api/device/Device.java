package org.mscclj.api.device;

/** A device of a backend: a GPU, or a rank's share of the host's cores. Safe for use by several threads. */
public interface Device {
    /** The backend, for example {@code host}. */
    String backend();

    /** Position among the backend's devices. */
    int index();

    /** What it is, in words. */
    String description();

    /**
     * Allocates zeroed memory that this device, and peers that can map it, can access.
     *
     * @param bytes size in bytes, 0 or more
     * @throws org.mscclj.api.error.InvalidArgumentException if the size is negative
     * @throws org.mscclj.api.error.BackendException if there is not enough memory
     */
    DeviceBuffer allocate(long bytes);

    /** Creates a stream. */
    Stream createStream();

    /** Creates an event that has not been recorded. */
    Event createEvent();
}
