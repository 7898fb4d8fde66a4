package org.mscclj.gpu.module;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.occupancy.DeviceQuiescence;

/** Compiled kernels, loaded on a GPU. Safe for use by several threads. */
public final class KernelModule implements AutoCloseable {
    private final DeviceContext context;
    private final long module;
    private final AtomicBoolean closed = new AtomicBoolean();

    private KernelModule(DeviceContext context, long module) {
        this.context = context;
        this.module = module;
    }

    /**
     * Loads what was compiled for the GPU's architecture. Waits for kernels that run: to be done before there are any
     * that wait for this rank.
     *
     * @throws org.mscclj.api.error.BackendException if it is for another architecture
     */
    public static KernelModule load(DeviceContext context, byte[] cubin) {
        return load(context, cubin, () -> {});
    }

    /**
     * The same.
     *
     * @param going throws what ends the wait for those kernels early; asked again and again, must not block
     */
    public static KernelModule load(DeviceContext context, byte[] cubin, Runnable going) {
        return context.within(() -> DeviceQuiescence.of(context).await(going, () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment module = arena.allocate(ValueLayout.JAVA_LONG);
                context.driver().check(context.driver().code().load(module, cubin), "loading code");
                return new KernelModule(context.share(), module.get(ValueLayout.JAVA_LONG, 0));
            }
        }));
    }

    /**
     * A kernel, whose code is loaded now and not at its first launch. It must not be used when the module is closed.
     *
     * @param name as the object file has it: of a function {@code extern "C"} its name
     */
    public Kernel kernel(String name) {
        return kernel(name, "kernel " + name, () -> {});
    }

    /**
     * The same; see {@link #load(DeviceContext, byte[], Runnable)}.
     *
     * @param label what it does, for messages
     */
    public Kernel kernel(String name, String label, Runnable going) {
        return context.within(
                () -> DeviceQuiescence.of(context).await(going, () -> Kernel.find(context, module, name, label)));
    }

    /** Unloads it, as soon as no other kernel that may wait is on the GPU. Launches must have ended. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            DeviceQuiescence.of(context).soon(this::unload);
        }
    }

    private void unload() {
        try (context) {
            context.run(
                    () -> context.driver().checkFreed(context.driver().code().unload(module), "unloading code"));
        }
    }
}
