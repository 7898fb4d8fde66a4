package org.mscclj.runtime.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MappedView;
import org.mscclj.spi.device.MemoryHandle;

/** The memory of all ranks of a window, mapped where that is possible: within a node. */
final class WindowMemory implements AutoCloseable {
    private final ControlPlane control;
    private final BackendDevice device;
    private final DeviceBuffer own;
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final Map<Integer, MappedView> views = new TreeMap<>();
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
        byte[][] described = Exchange.gather(control, Topic.of(TopicKind.WINDOW_MEMORY), () -> {
            device.retain(own); // here, so that a buffer which is closed on one rank is refused on all
            resources.add(() -> device.release(own));
            return Wire.encode(out -> {
                out.writeLong(own.byteSize());
                if (own.byteSize() > 0) {
                    Wire.writeHandle(out, device.export(own));
                }
            });
        });
        Exchange.gather(control, Topic.of(TopicKind.WINDOW_MAPPED), () -> {
            for (int rank = 0; rank < described.length; rank++) {
                int sender = rank;
                boolean _ = Wire.decodeFrom(rank, described[rank], message -> map(sender, message));
            }
            return new byte[0];
        });
    }

    private boolean map(int rank, byte[] description) {
        long bytes = Wire.<Long>decode(description, in -> {
            long size = in.readLong();
            if (size > 0) {
                MemoryHandle handle = Wire.readHandle(in);
                if (rank != control.rank() && control.nodes().share(control.rank(), rank) && device.canMap(handle)) {
                    MappedView view = view(device.map(handle));
                    resources.add(view);
                    views.put(rank, view);
                }
            }
            return size;
        });
        return sizes.add(bytes);
    }

    private MappedView view(MappedMemory mapped) {
        try {
            return device.view(mapped);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(mapped), e);
            throw e;
        }
    }

    /** Size of a rank's memory, in bytes. */
    long byteSize(int rank) {
        return sizes.get(rank);
    }

    /** Where a rank's memory starts, as this rank's device sees it. The rank must be of this node, and have memory. */
    long address(int rank) {
        return rank == control.rank() ? own.address() : mapped(rank).buffer().address();
    }

    /** Sizes of all ranks' memory, in bytes. */
    List<Long> sizes() {
        return List.copyOf(sizes);
    }

    /** Where the memory of each rank starts, as this rank's device sees it; 0 where it has none, or cannot be seen. */
    List<Long> addresses() {
        List<Long> addresses = new ArrayList<>();
        for (int rank = 0; rank < sizes.size(); rank++) {
            MappedView view = views.get(rank);
            long address = view == null ? 0 : view.buffer().address();
            addresses.add(rank == control.rank() && own.byteSize() > 0 ? own.address() : address);
        }
        return addresses;
    }

    /** A rank's memory as a buffer. */
    DeviceBuffer view(int rank) {
        if (rank != control.rank() && byteSize(rank) == 0) {
            throw new UnsupportedException(
                    "rank " + rank + " has opened a window without memory; there is nothing to map");
        }
        return rank == control.rank() ? own : mapped(rank).buffer();
    }

    private MappedView mapped(int rank) {
        MappedView view = views.get(rank);
        if (view == null) {
            throw new UnsupportedException(
                    "rank " + control.rank() + " does not reach the memory of rank " + rank + ": "
                            + (control.nodes().share(control.rank(), rank)
                                    ? "its device cannot map it; send messages, or put through a port channel"
                                    : "it is on another node, and memory is mapped within a node; use put and"
                                            + " get, or send messages"));
        }
        return view;
    }

    /** Whether a buffer is another rank's memory, as it is mapped here, or a part of it. */
    boolean isMapped(DeviceBuffer buffer) {
        return views.values().stream()
                .map(MappedView::buffer)
                .anyMatch(whole -> buffer.address() >= whole.address()
                        && buffer.address() + buffer.byteSize() <= whole.address() + whole.byteSize());
    }

    /** Refuses to go on while somebody uses the memory of other ranks, mapped here. */
    void requireUnused() {
        List<Integer> used = views.entrySet().stream()
                .filter(view -> view.getValue().isUsed())
                .map(Map.Entry::getKey)
                .toList();
        if (!used.isEmpty()) {
            throw new InvalidArgumentException("closing a window: on rank " + control.rank()
                    + " the memory of ranks " + used
                    + ", which mapRemote gave, is in use by operations, copies, graphs or holders;"
                    + " close those, or wait for them, and close the window again, on all ranks");
        }
    }

    /** Ends the use of own memory at once, that of mapped memory with its last user. */
    @Override
    public void close() {
        Resources.close(resources);
        resources.clear();
    }
}
