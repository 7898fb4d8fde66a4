package org.mscclj.spi.device;

import java.util.Optional;
import java.util.function.Consumer;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.spi.engine.DeviceHandle;
import org.mscclj.spi.engine.PlanEngine;
import org.mscclj.spi.transfer.TransferPreference;

/**
 * The runtime's interface of a device. Buffers, streams and events that are passed to it must belong to its backend.
 */
public interface BackendDevice extends Device, AutoCloseable {
    /**
     * Allocates memory like {@link #allocate(long)}, with properties that {@link org.mscclj.spi.multicast multicast}
     * needs. Devices that no multicast provider supports need not override it. A device that lacks a property allocates
     * without it: the provider refuses to bind the memory then.
     */
    default DeviceBuffer allocate(long bytes, MemoryNeeds needs) {
        return allocate(bytes);
    }

    /**
     * Returns a description of the buffer by which a peer can map it. The buffer must stay open until the peer has
     * mapped it; mapped memory stays allocated until it is unmapped, also if the owner closes the buffer.
     *
     * @throws org.mscclj.api.error.UnsupportedException if peers cannot map this kind of memory; the message names the
     *     kinds that they can map
     */
    MemoryHandle export(DeviceBuffer buffer);

    /** Whether {@link #map} can succeed for this handle: the owner's memory is directly accessible from this device. */
    boolean canMap(MemoryHandle handle);

    /** Maps a peer's memory. */
    MappedMemory map(MemoryHandle handle);

    /**
     * Returns a buffer over a peer's memory, for copies and launches of this device. The view owns the mapping from now
     * on.
     *
     * @throws UnsupportedException without {@link org.mscclj.spi.Feature#WINDOWS}
     */
    default MappedView view(MappedMemory memory) {
        throw new UnsupportedException("backend " + backend() + " has no windows (WINDOWS)");
    }

    /**
     * Whether plans on this device push triggers from the device itself, so that their ring must be one of
     * {@link org.mscclj.spi.proxy.TriggerFifo#ofDevice}.
     */
    default boolean pushesTriggers() {
        return false;
    }

    /** The kind of this device. Its names are compared between ranks, and kept in files. */
    default HardwareKind hardware() {
        return new HardwareKind(description(), "", "");
    }

    /**
     * The address of this device on the PCI bus, for example {@code 0000:3b:00.0}, by which transports find adapters
     * that are near to it. Empty for devices that are not on such a bus, as the CPU.
     */
    default Optional<String> busAddress() {
        return Optional.empty();
    }

    /**
     * Exports a buffer, which must not be empty, to adapters of networks. The memory stays allocated while an adapter
     * uses it.
     *
     * @return empty if the driver exports no memory of this kind
     */
    default Optional<DmaBuf> exportDmaBuf(DeviceBuffer buffer) {
        return Optional.empty();
    }

    /**
     * Returns what the device contributes to multicast; empty if its driver has none. Calls no driver: a provider of
     * multicast decides whether it may be used here.
     */
    default Optional<DeviceMulticast> multicast() {
        return Optional.empty();
    }

    /** The most threads of a block that plans of this device launch; 0 if its blocks have no threads. */
    default int mostThreadsPerBlock() {
        return 0;
    }

    /** The shipped programs that are fastest for each size on devices of this kind; equal for all of them. */
    default ProgramPreference programPreference() {
        return ProgramPreference.HOST;
    }

    /** The lanes that are fastest for point-to-point transfers on devices of this kind; equal for all of them. */
    default TransferPreference transferPreference() {
        return TransferPreference.HOST;
    }

    /**
     * Creates a timer of streams of this device. Empty if the device has no clock, as the CPU: the host's serves then.
     */
    default Optional<StreamTimer> createStreamTimer() {
        return Optional.empty();
    }

    /**
     * Creates copies by which the runtime moves this device's memory through memory of the host. The default copies in
     * the calling thread, by {@link DeviceBuffer#copyTo} and {@link DeviceBuffer#copyFrom}.
     */
    default StagingCopies createStagingCopies() {
        return new BlockingCopies();
    }

    /** The engine that runs plans on this device. */
    PlanEngine planEngine();

    /**
     * A memory channel. With {@link org.mscclj.spi.Feature#HOST_CHANNELS} the calling thread carries out its
     * operations; with {@link org.mscclj.spi.Feature#DEVICE_CHANNELS} kernels do, which access it by
     * {@link MemoryChannel#deviceHandle}.
     *
     * @throws org.mscclj.api.error.UnsupportedException without either
     */
    MemoryChannel createMemoryChannel(MemoryChannelSpec spec);

    /**
     * Creates the handle by which kernels access a port channel. Only for devices that push triggers.
     *
     * @throws UnsupportedException without {@link org.mscclj.spi.Feature#DEVICE_CHANNELS}
     */
    default DeviceHandle createPortHandle(PortChannelSpec spec) {
        throw new UnsupportedException("kernels on backend " + backend()
                + " cannot use port channels (DEVICE_CHANNELS); call the channel's operations from"
                + " threads of the host");
    }

    /**
     * Keeps a buffer's memory from being freed: closing it throws until {@link #release} has undone this.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the buffer is closed, or of another backend
     */
    void retain(DeviceBuffer buffer);

    /** Undoes {@link #retain}. */
    void release(DeviceBuffer buffer);

    /**
     * Adds a user that is queried before a buffer's memory is freed, and notified when it is. The user stays until
     * {@link #removeUser}, or until the buffer is closed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the buffer is closed, or of another backend
     */
    void addUser(DeviceBuffer buffer, BufferUser user);

    /** Undoes {@link #addUser}. Idempotent. */
    void removeUser(DeviceBuffer buffer, BufferUser user);

    /**
     * Adds one to a 64-bit counter at an offset in a buffer of this device, which is a multiple of 8 bytes; releases.
     * Nothing else changes the counter meanwhile: on some devices this is not an atomic operation.
     */
    void raiseCounter(DeviceBuffer buffer, long offset);

    /** The value of such a counter of this rank; acquires. */
    long readCounter(DeviceBuffer buffer, long offset);

    /** The value of such a counter of a rank, for messages about ranks that have not arrived; acquires. */
    long readCounter(MappedMemory memory, long offset);

    /**
     * Notifies the device that the host has changed memory that its work may wait for. Cheap; never blocks. Devices
     * that poll need not override it.
     */
    default void wake() {}

    /**
     * Adds a listener that is called when this device is lost to this process: a kernel or the hardware has faulted,
     * and no launch makes progress. Every wait for the device ends after that. Any thread calls the listener, once or
     * twice, within some tenths of a second. The listener must not block, and must not call the device.
     *
     * @param listener receives the driver's error, with the last launches
     * @return ends the calls when it is closed; the listener must not close it
     */
    default AutoCloseable whenLost(Consumer<BackendException> listener) {
        return () -> {};
    }

    /**
     * Makes this device current for other libraries that the calling platform thread calls: CUDA's current context, for
     * example. Cheap if it is current already. Devices that no other library knows need not override it.
     */
    default void makeCurrent() {}

    /** Frees the resources of the device. Close buffers, streams and contexts first. Idempotent. */
    @Override
    void close();
}
