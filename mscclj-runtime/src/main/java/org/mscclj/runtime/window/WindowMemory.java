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
import org.mscclj.runtime.control.Message;
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

    /** Holds this rank's memory, and maps the memory of the other ranks. Collective. */
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
        List<Message> described = Exchange.gather(control, Topic.of(TopicKind.WINDOW_MEMORY), () -> {
            device.retain(own); // here, so that a buffer that is closed on one rank is refused on all
            resources.add(() -> device.release(own));
            return Wire.encode(out -> {
                out.writeLong(own.byteSize());
                if (own.byteSize() > 0) {
                    Wire.writeHandle(out, device.export(own));
                }
            });
        });
        Exchange.gather(control, Topic.of(TopicKind.WINDOW_MAPPED), () -> {
            for (int rank = 0; rank < described.size(); rank++) {
                int sender = rank;
                boolean _ = Wire.decodeFrom(rank, described.get(rank).bytes(), message -> map(sender, message));
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

    /** Returns the size of a rank's memory, in bytes. */
    long byteSize(int rank) {
        return sizes.get(rank);
    }

    /**
     * Returns the start address of a rank's memory on this rank's device. The rank must be on this node, and have
     * memory.
     */
    long address(int rank) {
        return rank == control.rank() ? own.address() : mapped(rank).buffer().address();
    }

    /** Returns the sizes of all ranks' memory, in bytes. */
    List<Long> sizes() {
        return List.copyOf(sizes);
    }

    /**
     * Returns the start address of each rank's memory on this rank's device; 0 if the rank has no memory, or it is not
     * mapped.
     */
    List<Long> addresses() {
        List<Long> addresses = new ArrayList<>();
        for (int rank = 0; rank < sizes.size(); rank++) {
            MappedView view = views.get(rank);
            long address = view == null ? 0 : view.buffer().address();
            addresses.add(rank == control.rank() && own.byteSize() > 0 ? own.address() : address);
        }
        return addresses;
    }

    /** Returns a rank's memory as a buffer. */
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

    /** Returns whether a buffer is another rank's memory, as mapped on this rank, or a part of it. */
    boolean isMapped(DeviceBuffer buffer) {
        return views.values().stream()
                .map(MappedView::buffer)
                .anyMatch(whole -> buffer.address() >= whole.address()
                        && buffer.address() + buffer.byteSize() <= whole.address() + whole.byteSize());
    }

    /** Refuses to close while the mapped memory of other ranks is in use on this rank. */
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

    /** Ends the use of this rank's memory at once, and the use of mapped memory with its last user. */
    @Override
    public void close() {
        Resources.close(resources);
        resources.clear();
    }
}
