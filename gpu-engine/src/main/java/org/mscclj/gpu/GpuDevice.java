package org.mscclj.gpu;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;
import org.mscclj.api.device.StreamPriority;
import org.mscclj.api.error.BackendException;
import org.mscclj.device.kernels.source.UserSource;
import org.mscclj.gpu.channel.DeviceChannels;
import org.mscclj.gpu.compile.KernelCompiler;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.GpuLinks;
import org.mscclj.gpu.engine.EngineSwitch;
import org.mscclj.gpu.engine.GpuPlanEngine;
import org.mscclj.gpu.memory.DmaBufExport;
import org.mscclj.gpu.memory.GpuMemory;
import org.mscclj.gpu.module.UserKernel;
import org.mscclj.gpu.multicast.GpuMulticast;
import org.mscclj.gpu.stream.GpuEvent;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.gpu.stream.GpuStreamTimer;
import org.mscclj.gpu.transport.CopyingDevice;
import org.mscclj.gpu.transport.GpuStagingCopies;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.spi.device.BufferUser;
import org.mscclj.spi.device.DeviceMulticast;
import org.mscclj.spi.device.DmaBuf;
import org.mscclj.spi.device.HardwareKind;
import org.mscclj.spi.device.MappedMemory;
import org.mscclj.spi.device.MappedView;
import org.mscclj.spi.device.MemoryChannelSpec;
import org.mscclj.spi.device.MemoryHandle;
import org.mscclj.spi.device.MemoryNeeds;
import org.mscclj.spi.device.PortChannelSpec;
import org.mscclj.spi.device.StagingCopies;
import org.mscclj.spi.device.StreamTimer;
import org.mscclj.spi.engine.DeviceHandle;
import org.mscclj.spi.engine.PlanEngine;
import org.mscclj.spi.transfer.TransferPreference;

/** A GPU as one rank uses it. Several ranks may share one GPU. */
final class GpuDevice implements CopyingDevice {
    private final DeviceContext context;
    private final GpuMemory memory;
    private final KernelCompiler compiler;
    private final GpuPlanEngine engine;
    private final DeviceChannels channels;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Creates a device that closes the context. */
    GpuDevice(DeviceContext context, GpuMemory memory, KernelCompiler compiler) {
        this.context = context;
        this.memory = memory;
        this.compiler = compiler;
        this.engine = new GpuPlanEngine(this, context, compiler);
        this.channels = new DeviceChannels(this);
    }

    @Override
    public String backend() {
        return context.driver().backend();
    }

    @Override
    public int index() {
        return context.ordinal();
    }

    @Override
    public String description() {
        return context.name() + ", " + context.architecture() + ", " + context.multiprocessors() + " multiprocessors";
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        return memory.allocate(context, bytes);
    }

    @Override
    public DeviceBuffer allocate(long bytes, MemoryNeeds needs) {
        return needs.equals(MemoryNeeds.NONE) ? allocate(bytes) : memory.allocate(context, bytes, needs.granularity());
    }

    @Override
    public Optional<DeviceMulticast> multicast() {
        return context.driver().multicast().map(calls -> new GpuMulticast(context, calls, memory.hasProcesses()));
    }

    @Override
    public DeviceBuffer allocateHost(long bytes) {
        return memory.allocateHost(context, bytes);
    }

    @Override
    public DeviceBuffer adoptMemory(long address, long bytes, Runnable release) {
        Objects.requireNonNull(release, "release");
        return memory.adopt(context, address, bytes, release);
    }

    @Override
    public OptionalLong freeMemory() {
        return OptionalLong.of(context.freeMemory());
    }

    @Override
    public Stream createStream() {
        return createStream(StreamPriority.NORMAL);
    }

    @Override
    public Stream createStream(StreamPriority priority) {
        Objects.requireNonNull(priority, "priority");
        return GpuStream.create(this, context, priority == StreamPriority.HIGH);
    }

    @Override
    public Stream adoptStream(long nativeHandle) {
        return GpuStream.adopt(this, context, nativeHandle);
    }

    @Override
    public Event createEvent() {
        return GpuEvent.create(context);
    }

    @Override
    public Optional<StreamTimer> createStreamTimer() {
        return Optional.of(GpuStreamTimer.create(context));
    }

    @Override
    public MemoryHandle export(DeviceBuffer buffer) {
        return memory.export(buffer);
    }

    @Override
    public boolean canMap(MemoryHandle handle) {
        return memory.canMap(context, handle);
    }

    @Override
    public MappedMemory map(MemoryHandle handle) {
        return memory.map(context, handle);
    }

    @Override
    public MappedView view(MappedMemory mapped) {
        return memory.view(context, mapped);
    }

    @Override
    public DeviceContext context() {
        return context;
    }

    @Override
    public boolean pushesTriggers() {
        return true;
    }

    @Override
    public StagingCopies createStagingCopies() {
        return GpuStagingCopies.create(this);
    }

    @Override
    public HardwareKind hardware() {
        return new HardwareKind(
                context.name(), context.driver().version(), context.uuid().toString());
    }

    @Override
    public Optional<String> busAddress() {
        return context.busAddress();
    }

    @Override
    public Optional<DmaBuf> exportDmaBuf(DeviceBuffer buffer) {
        return DmaBufExport.of(context, memory.address(buffer), buffer.byteSize());
    }

    @Override
    public int mostThreadsPerBlock() {
        return GpuPlanEngine.MAX_THREADS;
    }

    @Override
    public ProgramPreference programPreference() {
        boolean lines = EngineSwitch.LINES.isOn(context.driver().traits().wholeLines());
        ProgramPreference all = lines ? ProgramPreference.GPU : ProgramPreference.GPU.withoutLines();
        return context.driver().links().filter(GpuLinks::ringsFirst).isPresent() ? all.withRings() : all;
    }

    @Override
    public TransferPreference transferPreference() {
        return TransferPreference.GPU;
    }

    @Override
    public PlanEngine planEngine() {
        return engine;
    }

    @Override
    public MemoryChannel createMemoryChannel(MemoryChannelSpec spec) {
        return channels.memoryChannel(spec);
    }

    @Override
    public DeviceHandle createPortHandle(PortChannelSpec spec) {
        return channels.portHandle(spec);
    }

    @Override
    public DeviceKernel compile(String source, String function) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(function, "function");
        return load(UserSource.of(function + ".cu", source), function);
    }

    @Override
    public DeviceKernel compileNative(String function, Path file) {
        Objects.requireNonNull(function, "function");
        Objects.requireNonNull(file, "file");
        return load(UserSource.of(file), function);
    }

    private DeviceKernel load(UserSource source, String function) {
        return UserKernel.load(
                context,
                compiler.compile("kernel " + function, source.text(), context.architecture()),
                function,
                source.mayWait(),
                channels::expectPushes);
    }

    @Override
    public void retain(DeviceBuffer buffer) {
        memory.retain(buffer);
    }

    @Override
    public void release(DeviceBuffer buffer) {
        memory.release(buffer);
    }

    @Override
    public void addUser(DeviceBuffer buffer, BufferUser user) {
        memory.addUser(buffer, user);
    }

    @Override
    public void removeUser(DeviceBuffer buffer, BufferUser user) {
        memory.removeUser(buffer, user);
    }

    @Override
    public void raiseCounter(DeviceBuffer buffer, long offset) {
        memory.raiseCounter(context, memory.address(buffer) + offset);
    }

    @Override
    public long readCounter(DeviceBuffer buffer, long offset) {
        return memory.readCounter(context, memory.address(buffer) + offset);
    }

    @Override
    public long readCounter(MappedMemory mapped, long offset) {
        return memory.readCounter(context, mapped.address() + offset);
    }

    @Override
    public AutoCloseable whenLost(Consumer<BackendException> listener) {
        return context.whenLost(listener);
    }

    @Override
    public void makeCurrent() {
        context.use();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try (context;
                    engine) {
                channels.close();
            }
        }
    }
}
