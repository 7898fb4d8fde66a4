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
     * Loads code that was compiled for the GPU's architecture. Waits for running kernels, so it must be called before
     * any kernel runs that waits for this rank.
     *
     * @throws org.mscclj.api.error.BackendException if the code is for another architecture
     */
    public static KernelModule load(DeviceContext context, byte[] cubin) {
        return load(context, cubin, () -> {});
    }

    /**
     * Loads code as {@link #load(DeviceContext, byte[])} does, with a condition to go on waiting.
     *
     * @param going throws to end the wait for running kernels early; called again and again, must not block
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
     * Returns a kernel. Its code is loaded now, instead of at its first launch. The kernel must not be used after the
     * module is closed.
     *
     * @param name the name in the object file: for a function {@code extern "C"}, its name
     */
    public Kernel kernel(String name) {
        return kernel(name, "kernel " + name, () -> {});
    }

    /**
     * Returns a kernel as {@link #kernel(String)} does; see {@link #load(DeviceContext, byte[], Runnable)}.
     *
     * @param label describes the kernel's task in messages
     */
    public Kernel kernel(String name, String label, Runnable going) {
        return context.within(
                () -> DeviceQuiescence.of(context).await(going, () -> Kernel.find(context, module, name, label)));
    }

    /**
     * Unloads the module as soon as no kernel that may wait is on the GPU. Its own launches must have ended.
     * Idempotent.
     */
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
