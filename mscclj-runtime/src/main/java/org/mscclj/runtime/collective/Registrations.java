package org.mscclj.runtime.collective;

import java.io.DataInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.environment.CallArguments;
import org.mscclj.runtime.execution.operation.OpenOperations;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.signature.BufferLocation;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.device.MemoryNeeds;

/**
 * The registered memory of a communicator on one rank. Allocations are collective. A number, in the order of
 * allocation, therefore identifies one allocation on all ranks; no number is used twice. Safe for use by several
 * threads.
 */
final class Registrations {
    private final BackendDevice device;
    private final Supplier<MemoryNeeds> needs;
    private final ConcurrentSkipListMap<Long, Registration> byAddress = new ConcurrentSkipListMap<>();
    private long last;

    /** The number of registrations that were added and removed. */
    private final AtomicLong changes = new AtomicLong();

    /** One allocation, from its creation to its close. */
    private final class Registration implements BufferUser {
        private final long number;
        private final DeviceBuffer buffer;

        Registration(long number, DeviceBuffer buffer) {
            this.number = number;
            this.buffer = buffer;
        }

        boolean contains(DeviceBuffer part) {
            return part.address() + part.byteSize() <= buffer.address() + buffer.byteSize();
        }

        BufferLocation placeOf(DeviceBuffer part) {
            return new BufferLocation(number, part.address() - buffer.address());
        }

        @Override
        public boolean isUsing() {
            return false;
        }

        @Override
        public void bufferClosed() {
            byAddress.remove(buffer.address(), this);
            changes.incrementAndGet();
        }
    }

    /**
     * Creates an empty instance.
     *
     * @param needs returns what memory of this rank needs at its allocation
     */
    Registrations(BackendDevice device, Supplier<MemoryNeeds> needs) {
        this.device = device;
        this.needs = needs;
    }

    /**
     * Requires memory of which no part is registered.
     *
     * @throws InvalidArgumentException if a part of it is
     */
    private void requireNew(DeviceBuffer buffer) {
        Map.Entry<Long, Registration> below = byAddress.lowerEntry(buffer.address() + buffer.byteSize());
        if (buffer.byteSize() > 0 && below != null && CallArguments.overlap(below.getValue().buffer, buffer)) {
            throw new InvalidArgumentException("a part of the buffer is registered already, as "
                    + below.getValue().placeOf(below.getValue().buffer)
                    + "; allowed: memory of which no part is registered");
        }
    }

    /** Gives a buffer of all ranks the next number. */
    private void add(DeviceBuffer buffer) {
        last++;
        if (buffer.byteSize() > 0) {
            Registration registration = new Registration(last, buffer);
            byAddress.put(buffer.address(), registration);
            changes.incrementAndGet();
            device.addUser(buffer, registration);
        }
    }

    /**
     * Returns the whole allocation in which a buffer lies.
     *
     * @throws InvalidArgumentException if the buffer is not registered any more
     */
    DeviceBuffer allocationOf(DeviceBuffer buffer) {
        Map.Entry<Long, Registration> below = byAddress.floorEntry(buffer.address());
        if (below == null || !below.getValue().contains(buffer)) {
            throw new InvalidArgumentException("the allocation of a buffer of this call is closed; pass open buffers");
        }
        return below.getValue().buffer;
    }

    /** Allocates memory on all ranks, and registers it. Collective. */
    DeviceBuffer allocate(long bytes, ControlPlane control) {
        DeviceBuffer[] buffer = new DeviceBuffer[1];
        try {
            Exchange.gather(control, Topic.of(TopicKind.ALLOCATE, bytes), () -> {
                buffer[0] = device.allocate(bytes, needs.get());
                return new byte[0];
            });
        } catch (RuntimeException | Error e) {
            if (buffer[0] != null) {
                buffer[0].close();
            }
            throw e;
        }
        add(buffer[0]);
        return buffer[0];
    }

    /**
     * Registers memory that was allocated otherwise. Collective.
     *
     * @throws InvalidArgumentException on every rank, if sizes differ, or if memory of a rank is closed or registered
     *     already
     */
    void addTogether(DeviceBuffer buffer, ControlPlane control) {
        List<AutoCloseable> retained = new ArrayList<>();
        try {
            Exchange.requireEqual(
                    control,
                    Topic.of(TopicKind.REGISTER),
                    () -> {
                        OpenOperations.retain(device, List.of(buffer), retained);
                        requireNew(buffer);
                        MemoryHandle _ = device.export(buffer); // throws if peers cannot access it
                        return Wire.encode(out -> out.writeLong(buffer.byteSize()));
                    },
                    message -> Wire.decode(message, DataInputStream::readLong) + " bytes",
                    sizes -> new InvalidArgumentException(
                            "ranks register memory of different sizes: " + sizes + "; all must be equal"));
            add(buffer);
        } finally {
            Resources.close(retained);
        }
    }

    /** Returns the number of changes so far; while it stays, each buffer has the location that it had. */
    long changes() {
        return changes.get();
    }

    /** Returns the location of a buffer. */
    BufferLocation placeOf(DeviceBuffer buffer) {
        Map.Entry<Long, Registration> below = byAddress.floorEntry(buffer.address());
        return below != null && below.getValue().contains(buffer)
                ? below.getValue().placeOf(buffer)
                : BufferLocation.PLAIN;
    }
}
