package org.mscclj.spi.device;

import java.util.function.Consumer;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.program.ProgramPreference;
import org.mscclj.spi.engine.DeviceHandle;
import org.mscclj.spi.engine.PlanEngine;
import org.mscclj.spi.transfer.TransferPreference;

/** A device as the runtime uses it. Buffers, streams and events handed in must be of the same backend. */
public interface BackendDevice extends Device, AutoCloseable {
    /**
     * A description of the buffer by which a peer can map it. The buffer must stay open until that has happened; what
     * is mapped stays in memory until it is unmapped, also if the owner closes it.
     *
     * @throws org.mscclj.api.error.UnsupportedException if peers cannot map this kind of memory; says which kind they
     *     can
     */
    MemoryHandle export(DeviceBuffer buffer);

    /** Whether {@link #map} can succeed for this handle: the owner is close enough for direct access. */
    boolean canMap(MemoryHandle handle);

    /** Maps a peer's memory. */
    MappedMemory map(MemoryHandle handle);

    /**
     * A buffer over a peer's memory, for copies and launches of this device. The mapping belongs to it from now on.
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

    /** Which shipped programs serve messages best on devices of this kind; equal for all of them. */
    default ProgramPreference programPreference() {
        return ProgramPreference.HOST;
    }

    /** Which lanes serve messages from rank to rank best on devices of this kind; equal for all of them. */
    default TransferPreference transferPreference() {
        return TransferPreference.HOST;
    }

    /** What runs plans on this device. */
    PlanEngine planEngine();

    /**
     * A memory channel. With {@link org.mscclj.spi.Feature#HOST_CHANNELS} the calling thread carries out its
     * operations, with {@link org.mscclj.spi.Feature#DEVICE_CHANNELS} kernels do, which know it by
     * {@link MemoryChannel#deviceHandle}.
     *
     * @throws org.mscclj.api.error.UnsupportedException without either
     */
    MemoryChannel createMemoryChannel(MemoryChannelSpec spec);

    /**
     * What kernels know of a port channel. Only for devices that push triggers.
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
     * Adds somebody who is to be asked before a buffer's memory is freed, and told. Until {@link #removeUser}, or until
     * the buffer is closed.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the buffer is closed, or of another backend
     */
    void addUser(DeviceBuffer buffer, BufferUser user);

    /** Undoes {@link #addUser}. Idempotent. */
    void removeUser(DeviceBuffer buffer, BufferUser user);

    /** Adds one to a 64-bit counter that is a multiple of 8 bytes into a buffer of this device; releases. */
    void raiseCounter(DeviceBuffer buffer, long offset);

    /** The value of such a counter of this rank; acquires. */
    long readCounter(DeviceBuffer buffer, long offset);

    /** The value of such a counter of a rank, for messages about who has not arrived; acquires. */
    long readCounter(MappedMemory memory, long offset);

    /**
     * Says that the host has changed memory that this device's work may wait for. Cheap, never blocks; devices that
     * poll have nothing to do.
     */
    default void wake() {}

    /**
     * Calls a listener when this device is lost to this process: a kernel or the hardware has faulted, and no launch
     * goes on. Every wait for the device ends after that. Any thread calls the listener, once or twice, within some
     * tenths of a second. The listener must not block, and must not call the device.
     *
     * @param listener gets the driver's error, with what was launched last
     * @return ends the calls when it is closed; the listener must not close it
     */
    default AutoCloseable whenLost(Consumer<BackendException> listener) {
        return () -> {};
    }

    /**
     * Makes this the device that other libraries use when the calling platform thread calls them: CUDA's current
     * context, for example. Cheap if it is so already; devices that no other library knows have nothing to do.
     */
    default void makeCurrent() {}

    /** Frees what the device holds. Close buffers, streams and contexts first. Idempotent. */
    @Override
    void close();
}
