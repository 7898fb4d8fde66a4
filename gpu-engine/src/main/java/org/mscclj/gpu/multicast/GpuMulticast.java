package org.mscclj.gpu.multicast;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.descriptor.DescriptorClient;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.FabricState;
import org.mscclj.gpu.driver.MulticastCalls;
import org.mscclj.gpu.driver.VirtualMemoryCalls;
import org.mscclj.gpu.mapping.PhysicalMemory;
import org.mscclj.gpu.memory.GpuMemory;
import org.mscclj.spi.device.DeviceMulticast;
import org.mscclj.spi.device.MulticastObject;
import org.mscclj.spi.memory.ProcessIdentity;

/**
 * The multicast objects of a GPU.
 *
 * @param context of the GPU
 * @param calls of its driver
 * @param processes whether other processes are to open the objects
 * @param fabric returns how the GPU is registered with a fabric of switches; empty if it is unknown
 */
public record GpuMulticast(
        DeviceContext context, MulticastCalls calls, boolean processes, Supplier<Optional<FabricState>> fabric)
        implements DeviceMulticast {
    private static final System.Logger LOGGER = System.getLogger(GpuMulticast.class.getName());

    /** A number of devices and a size with which the granularity is read; it depends on neither. */
    private static final int SOME_MEMBERS = 2;

    private static final long SOME_BYTES = 2 << 20;

    /** Creates the multicast objects of a GPU, with the registration that its driver tells. */
    public GpuMulticast(DeviceContext context, MulticastCalls calls, boolean processes) {
        this(context, calls, processes, () -> context.driver().fabric(context.uuid()));
    }

    @Override
    public Optional<String> obstacle() {
        if (!(context.driver().deviceMemory() instanceof VirtualMemoryCalls)) {
            return Optional.of("the driver has no virtual memory, which multicast needs");
        }
        if (!calls.present()) {
            return Optional.of("the driver, for version " + context.driver().version() + " of "
                    + context.driver().terms().api() + ", has no multicast; install a newer one: "
                    + calls.firstDriver());
        }
        if (!isSupported()) {
            return Optional.of("GPU " + context.ordinal() + " (" + context.name() + ") has no multicast; it needs "
                    + calls.neededHardware());
        }
        return fabric.get().flatMap(FabricState::obstacle).map(reason -> "GPU " + context.ordinal() + ": " + reason);
    }

    private boolean isSupported() {
        return context.within(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment can = arena.allocate(JAVA_INT);
                int result = calls.supported(context.ordinal(), can);
                if (context.driver().errors().isInvalidValue(result)) {
                    return false; // the driver does not know the attribute
                }
                check(result, "asking GPU " + context.ordinal() + " for multicast");
                return can.get(JAVA_INT, 0) != 0;
            }
        });
    }

    @Override
    public long granularity() {
        return context.within(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bytes = arena.allocate(JAVA_LONG);
                check(
                        calls.granularity(bytes, new MulticastCalls.Kind(SOME_MEMBERS, SOME_BYTES, processes, false)),
                        "reading the granularity of multicast");
                return bytes.get(JAVA_LONG, 0);
            }
        });
    }

    @Override
    public long lead(DeviceBuffer buffer) {
        return GpuMemory.bindable(buffer).lead(granularity());
    }

    @Override
    public MulticastObject create(int members, long bytes) {
        boolean spansHosts =
                processes && fabric.get().filter(FabricState::spansHosts).isPresent();
        return held(() -> {
            if (spansHosts) {
                try {
                    return created(new MulticastCalls.Kind(members, bytes, true, true));
                } catch (BackendException e) { // without IMEX channels, processes of this host can still open one
                    LOGGER.log(Level.DEBUG, "a multicast object is for one host only", e);
                }
            }
            return created(new MulticastCalls.Kind(members, bytes, processes, false));
        });
    }

    /** Takes a step in the context, which stays open meanwhile: the driver may return after the device is closed. */
    private <T> T held(Supplier<T> step) {
        try (DeviceContext open = context.share()) {
            return open.within(step);
        }
    }

    private GpuMulticastObject created(MulticastCalls.Kind kind) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            check(
                    calls.create(handle, kind),
                    "creating a multicast object of " + kind.bytes() + " bytes for " + kind.members() + " GPUs");
            return view(
                    new PhysicalMemory(context.driver(), handle.get(JAVA_LONG, 0), kind.bytes()),
                    kind,
                    () -> processes ? Optional.of(TeamLife.create(context)) : Optional.empty());
        }
    }

    @Override
    public MulticastObject open(byte[] handle) {
        MulticastDescription described = MulticastDescription.decode(handle);
        if (described.process() == ProcessIdentity.process()) {
            MulticastMemory memory = MulticastMemory.find(described.number())
                    .orElseThrow(() -> new InvalidArgumentException(
                            "the multicast object that another rank described was released; it must stay open until"
                                    + " all ranks have opened it"));
            return new GpuMulticastObject(this, memory, described.fabric().isPresent());
        }
        MulticastCalls.Kind kind = new MulticastCalls.Kind(
                described.members(), described.bytes(), true, described.fabric().isPresent());
        return held(() -> view(
                imported(described),
                kind,
                () -> described.isNear() ? Optional.of(TeamLife.join(context, described.life())) : Optional.empty()));
    }

    private PhysicalMemory imported(MulticastDescription described) {
        if (described.isNear()) {
            return DescriptorClient.fetch(context.driver(), described.exported());
        }
        MemorySegment fabric = described
                .fabric()
                .orElseThrow(() -> new UnsupportedException(
                        "the multicast object belongs to another host, user or container, and its GPU exports it to"
                                + " processes of the same user in one container only; run the ranks of a node as one"
                                + " user in one container"));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            MemorySegment nativeFabric =
                    arena.allocate(MulticastCalls.FABRIC_HANDLE_BYTES).copyFrom(fabric);
            check(calls.importFabric(handle, nativeFabric), "importing a multicast object of another host");
            return new PhysicalMemory(context.driver(), handle.get(JAVA_LONG, 0), described.bytes());
        }
    }

    /** A view of an object whose handle is new, with the life of its team. If there is none, releases the handle. */
    private GpuMulticastObject view(
            PhysicalMemory object, MulticastCalls.Kind kind, Supplier<Optional<TeamLife>> life) {
        try {
            return new GpuMulticastObject(
                    this, MulticastMemory.of(context, object, kind.members(), life.get()), kind.fabric());
        } catch (RuntimeException | Error e) {
            object.release();
            throw e;
        }
    }

    /** Throws, with what the vendor advises, if a result is not success. */
    void check(int result, String operation) {
        if (result != DriverErrors.SUCCESS) {
            BackendException plain = context.driver().failure(result, operation);
            throw calls.advice(result)
                    .map(advice ->
                            new BackendException(plain.getMessage() + "; " + advice, plain.code(), plain.symbol()))
                    .orElse(plain);
        }
    }
}
