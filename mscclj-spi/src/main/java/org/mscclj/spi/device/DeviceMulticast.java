package org.mscclj.spi.device;

import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;

/**
 * What a device contributes to {@link org.mscclj.spi.multicast multicast}: objects that send a store to the memory of
 * several devices, and reduce what they load from it. A provider of multicast calls the methods. Each of them calls the
 * driver, which may block; the caller limits the time.
 *
 * <p>All devices of an object are {@linkplain MulticastObject#addDevice added} before one of them binds memory.
 */
public interface DeviceMulticast {
    /** Why this device has no multicast, with a remedy; empty if it has. Creates no object. */
    Optional<String> obstacle();

    /** The granularity of bound memory and of positions in an object, in bytes; a power of two. */
    long granularity();

    /**
     * How many bytes before a buffer the memory begins that is bound with it, which is whole units of the granularity.
     *
     * @throws org.mscclj.api.error.MsccljException if this memory cannot be bound
     */
    long lead(DeviceBuffer buffer);

    /**
     * Creates an object.
     *
     * @param members the number of devices that are added to it; 1 or more
     * @param bytes the size of the object; a multiple of the granularity
     * @throws org.mscclj.api.error.BackendException if the driver refuses; the message says what to check
     */
    MulticastObject create(int members, long bytes);

    /**
     * Opens the object of another member, in this process or another one.
     *
     * @param handle the {@link MulticastObject#handle} of that member
     * @throws org.mscclj.api.error.MsccljException if it cannot be opened; the message says why
     */
    MulticastObject open(byte[] handle);
}
