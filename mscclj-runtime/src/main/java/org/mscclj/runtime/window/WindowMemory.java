package org.mscclj.runtime.window;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MemoryHandle;

/** The memory of all ranks of a window, mapped where that is possible: within a node. */
final class WindowMemory implements AutoCloseable {
    private final ControlPlane control;
    private final BackendDevice device;
    private final DeviceBuffer own;
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final Map<Integer, MappedMemory> mapped = new HashMap<>();
    private final Map<Integer, DeviceBuffer> views = new HashMap<>();
    private final List<Long> sizes = new ArrayList<>();

    private WindowMemory(ControlPlane control, BackendDevice device, DeviceBuffer own) {
        this.control = control;
        this.device = device;
        this.own = own;
    }

    /** Keeps this rank's memory, and maps that of the others. Collective. */
    static WindowMemory open(ControlPlane control, BackendDevice device, DeviceBuffer own) {
        WindowMemory memory = new WindowMemory(control, device, own);
        try {
            memory.exchange();
            return memory;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(memory), e);
            throw e;
        }
    }

    private void exchange() {
        byte[][] described = Exchange.gather(control, "memory of a window", () -> {
            device.retain(own); // here, so that a buffer which is closed on one rank is refused on all
            resources.add(() -> device.release(own));
            return Wire.encode(out -> {
                out.writeLong(own.byteSize());
                if (own.byteSize() > 0) {
                    Wire.writeHandle(out, device.export(own));
                }
            });
        });
        Exchange.gather(control, "mapped memory of a window", () -> {
            for (int rank = 0; rank < described.length; rank++) {
                map(rank, described[rank]);
            }
            return new byte[0];
        });
    }

    private void map(int rank, byte[] description) {
        long bytes = Wire.<Long>decode(description, in -> {
            long size = in.readLong();
            if (size > 0 && rank != control.rank()) {
                MemoryHandle handle = Wire.readHandle(in);
                if (control.nodes().share(control.rank(), rank) && device.canMap(handle)) {
                    MappedMemory memory = device.map(handle);
                    resources.add(memory);
                    mapped.put(rank, memory);
                }
            }
            return size;
        });
        sizes.add(bytes);
    }

    /** Size of a rank's memory, in bytes. */
    long byteSize(int rank) {
        return sizes.get(rank);
    }

    /** Where a rank's memory starts, as this rank's device sees it; empty if it has none. */
    OptionalLong address(int rank) {
        if (byteSize(rank) == 0) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                rank == control.rank() ? own.address() : mapping(rank).address());
    }

    /** Sizes of all ranks' memory, in bytes. */
    List<Long> sizes() {
        return List.copyOf(sizes);
    }

    /** Where the memory of each rank starts, as this rank's device sees it; 0 where it has none, or cannot be seen. */
    List<Long> addresses() {
        List<Long> addresses = new ArrayList<>();
        for (int rank = 0; rank < sizes.size(); rank++) {
            MappedMemory memory = mapped.get(rank);
            long address = memory == null ? 0 : memory.address();
            addresses.add(rank == control.rank() && own.byteSize() > 0 ? own.address() : address);
        }
        return addresses;
    }

    /** A rank's memory as a buffer. */
    DeviceBuffer view(int rank) {
        return rank == control.rank() ? own : views.computeIfAbsent(rank, this::newView);
    }

    private DeviceBuffer newView(int rank) {
        if (byteSize(rank) == 0) {
            throw new UnsupportedException(
                    "rank " + rank + " has opened a window without memory; there is nothing to map");
        }
        DeviceBuffer view = device.view(mapping(rank));
        resources.add(view);
        return view;
    }

    private MappedMemory mapping(int rank) {
        MappedMemory memory = mapped.get(rank);
        if (memory == null) {
            throw new UnsupportedException(
                    "rank " + control.rank() + " does not reach the memory of rank " + rank + ": "
                            + (control.nodes().share(control.rank(), rank)
                                    ? "its device cannot map it"
                                    : "it is on another node, and windows do not lead there yet")
                            + "; send messages, or put through a port channel");
        }
        return memory;
    }

    @Override
    public void close() {
        Resources.close(resources);
        resources.clear();
    }
}
