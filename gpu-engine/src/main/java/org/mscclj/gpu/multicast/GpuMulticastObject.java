package org.mscclj.gpu.multicast;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.descriptor.DescriptorServer;
import org.mscclj.gpu.driver.MulticastCalls;
import org.mscclj.gpu.mapping.MappedRange;
import org.mscclj.gpu.memory.BindableRange;
import org.mscclj.gpu.memory.GpuMemory;
import org.mscclj.spi.device.MulticastObject;
import org.mscclj.spi.memory.ProcessIdentity;

/** A GPU's view of a multicast object. It keeps the context open until it is closed. */
final class GpuMulticastObject implements MulticastObject {
    private record Bound(long offset, long bytes) {}

    private final GpuMulticast source;
    private final DeviceContext context;
    private final MulticastMemory object;
    private final boolean fabric;
    private final List<Bound> bindings = new ArrayList<>();
    private @Nullable MappedRange range;
    private boolean closed;

    /**
     * Creates a view.
     *
     * @param object released when the view is closed
     * @param fabric whether the object has a handle for the fabric
     */
    GpuMulticastObject(GpuMulticast source, MulticastMemory object, boolean fabric) {
        this.source = source;
        this.context = source.context().share();
        this.object = object;
        this.fabric = fabric;
    }

    private MulticastCalls calls() {
        return source.calls();
    }

    @Override
    public byte[] handle() {
        Optional<UUID> token = source.processes() ? Optional.of(DescriptorServer.token()) : Optional.empty();
        return new MulticastDescription(
                        ProcessIdentity.process(),
                        ProcessIdentity.reach(ProcessIdentity.Namespace.NETWORK),
                        object.id(),
                        object.lifeNumber(),
                        token,
                        object.members(),
                        object.memory().bytes(),
                        fabric ? Optional.of(fabricHandle()) : Optional.empty())
                .encode();
    }

    private MemorySegment fabricHandle() {
        return context.within(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment handle = arena.allocate(MulticastCalls.FABRIC_HANDLE_BYTES);
                source.check(
                        calls().exportFabric(handle, object.memory().handle()),
                        "exporting a multicast object to other hosts");
                return MemorySegment.ofArray(handle.toArray(JAVA_BYTE));
            }
        });
    }

    @Override
    public void addDevice() {
        object.adding(context.ordinal());
        context.run(() -> source.check(
                calls().addDevice(object.memory().handle(), context.ordinal()),
                "adding GPU " + context.ordinal() + " to a multicast object"));
    }

    @Override
    public void bind(DeviceBuffer buffer, long offset) {
        BindableRange units = GpuMemory.bindable(buffer).units(buffer.byteSize(), source.granularity());
        units.block().ifPresent(object::keep);
        context.run(() -> source.check(bind(units, offset), "binding " + units.bytes() + " bytes to multicast"));
        bindings.add(new Bound(offset, units.bytes()));
    }

    private int bind(BindableRange units, long offset) {
        long handle = object.memory().handle();
        return units.block().isPresent()
                ? calls().bindMemory(
                                handle, offset, units.block().get().memory().handle(), units.start(), units.bytes())
                : calls().bindAddress(handle, offset, units.start(), units.bytes());
    }

    @Override
    public void unbind() {
        List<Bound> all = List.copyOf(bindings);
        bindings.clear();
        context.run(() -> {
            int failed = 0;
            for (Bound bound : all) {
                int result = calls().unbind(object.memory().handle(), context.ordinal(), bound.offset(), bound.bytes());
                failed = failed == 0 ? result : failed;
            }
            context.driver().checkFreed(failed, "unbinding memory from multicast");
        });
    }

    @Override
    public long map() {
        MappedRange mapped = context.within(() -> MappedRange.of(context, object.memory()));
        range = mapped;
        return mapped.address();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (context) {
            MappedRange mapped = range;
            if (mapped != null) {
                context.run(mapped::unmap);
            }
        } finally {
            object.drop();
        }
    }
}
