package org.mscclj.spi.device;

import org.mscclj.api.device.DeviceBuffer;

/** A device's view of a multicast object. Used by one thread at a time. */
public interface MulticastObject extends AutoCloseable {
    /** The handle by which other members open the object, while this member has it open. */
    byte[] handle();

    /**
     * Adds the device to the object.
     *
     * @throws org.mscclj.api.error.MsccljException if it is a member already, or if the driver refuses
     */
    void addDevice();

    /**
     * Binds memory of the device, after all devices have been added: the units of the granularity in which a buffer
     * lies.
     *
     * @param buffer memory of this backend, or adopted memory that begins and ends at multiples of the granularity
     * @param offset position in the object of the first unit, which begins {@link DeviceMulticast#lead} bytes before
     *     the buffer; a multiple of the granularity
     * @throws org.mscclj.api.error.MsccljException if this memory cannot be bound there, or if the driver refuses
     */
    void bind(DeviceBuffer buffer, long offset);

    /** Unbinds what this view has bound. Only for an object through which no member has accessed memory. */
    void unbind();

    /** Maps the object for the device. Called once. Returns the address of its first byte. */
    long map();

    /**
     * Unmaps and releases the object. Memory that is bound stays bound, and allocated, until the last member has closed
     * its view or has ended. Idempotent.
     */
    @Override
    void close();
}
