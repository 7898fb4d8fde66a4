package org.mscclj.gpu.module;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.occupancy.DeviceQuiescence;
import org.mscclj.gpu.occupancy.OccupancyReservation;
import org.mscclj.gpu.stream.CapturedLaunches;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.spi.engine.ReplayListener;

/**
 * A user's kernel, with its module. Launches are serialised, because they share the pointers to the arguments that the
 * driver needs.
 */
public final class UserKernel implements DeviceKernel, DeviceQuiescence.Launcher {
    private static final int WORD = 8;

    /**
     * The most shared memory of a block, dynamic and declared, that works on every GPU. More would need a request
     * before a launch.
     */
    private static final int MAX_SHARED_BYTES = 48 << 10;

    private final DeviceContext context;
    private final KernelModule module;
    private final Kernel kernel;
    private final Runnable atLaunch;
    private final Optional<KernelOccupancy> room;
    private final Optional<KernelReplays> replays;
    private final int parameters;
    private final ReentrantLock lock = new ReentrantLock();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment pointers;
    private boolean closed;

    private UserKernel(DeviceContext context, KernelModule module, Kernel kernel, boolean mayWait, Runnable atLaunch) {
        this.context = context;
        this.module = module;
        this.kernel = kernel;
        this.atLaunch = atLaunch;
        this.room = mayWait
                ? Optional.of(new KernelOccupancy(kernel, context.ordinal(), OccupancyReservation.of(context)))
                : Optional.empty();
        this.replays = room.map(reserved -> new KernelReplays(this, reserved));
        this.parameters = requireWords(kernel);
        this.pointers = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, parameters));
        if (mayWait) {
            DeviceQuiescence.of(context).add(this);
        }
    }

    private static int requireWords(Kernel kernel) {
        List<Long> sizes = kernel.parameterSizes();
        for (int i = 0; i < sizes.size(); i++) {
            if (sizes.get(i) > WORD) {
                throw new UnsupportedException("parameter " + i + " of kernel " + kernel.name() + " has " + sizes.get(i)
                        + " bytes, and launches pass at most " + WORD
                        + "; pass the address of device memory that holds it");
            }
        }
        return sizes.size();
    }

    /**
     * Loads a kernel.
     *
     * @param code an object file for the GPU's architecture
     * @param function the kernel's name
     * @param mayWait whether its blocks may wait for others, so that all of them must be on the GPU at once
     * @param atLaunch called at each launch; must not block, allocate or throw
     * @throws InvalidArgumentException if there is no such function
     * @throws UnsupportedException if the function has parameters that launches cannot pass
     */
    public static UserKernel load(
            DeviceContext context, byte[] code, String function, boolean mayWait, Runnable atLaunch) {
        KernelModule module = KernelModule.load(context, code);
        try {
            return new UserKernel(context, module, find(context, module, function), mayWait, atLaunch);
        } catch (RuntimeException | Error e) {
            module.close();
            throw e;
        }
    }

    private static Kernel find(DeviceContext context, KernelModule module, String function) {
        try {
            return module.kernel(function);
        } catch (BackendException e) {
            if (!context.driver().errors().isNotFound((int) e.code())) {
                throw e;
            }
            throw InvalidArgumentException.of(
                    "function", function, "a function that the source declares as extern \"C\" __global__ void");
        }
    }

    @Override
    public String name() {
        return kernel.name();
    }

    @Override
    public int parameterCount() {
        return parameters;
    }

    @Override
    public int maxThreads() {
        return kernel.maxThreads();
    }

    @Override
    public int maxBlocks(int threads, int sharedBytes) {
        requireShape(1, threads, sharedBytes);
        return context.multiprocessors() * kernel.blocksPerMultiprocessor(threads, sharedBytes);
    }

    @Override
    public void launch(Stream stream, int blocks, int threads, int sharedBytes, MemorySegment arguments) {
        GpuStream own = GpuStream.of(Objects.requireNonNull(stream, "stream"));
        Objects.requireNonNull(arguments, "arguments");
        if (own.device().index() != context.ordinal()) {
            throw InvalidArgumentException.of(
                    "stream",
                    "a stream of GPU " + own.device().index(),
                    "a stream of GPU " + context.ordinal() + ", on which kernel " + name() + " is loaded");
        }
        requireShape(blocks, threads, sharedBytes);
        if (!arguments.isNative()
                || !arguments.scope().isAlive()
                || arguments.address() % WORD != 0
                || arguments.byteSize() != (long) parameters * WORD) {
            throw InvalidArgumentException.of(
                    "arguments of kernel " + name(),
                    arguments.byteSize() + " bytes of "
                            + (!arguments.isNative()
                                    ? "heap"
                                    : arguments.scope().isAlive() ? "native" : "freed") + " memory",
                    (long) parameters * WORD + " bytes of native memory, 8-byte aligned: " + WORD + " for each of its "
                            + parameters + " parameters");
        }
        lock.lock();
        try {
            if (closed) {
                throw new InvalidArgumentException("kernel " + name() + " is closed; compile it again");
            }
            if (room.isPresent()) {
                boolean captured = own.isCapturing();
                room.get().reserve(own, blocks, threads, sharedBytes, captured);
                if (captured) {
                    keepForReplays(own);
                }
            }
            for (int i = 0; i < parameters; i++) {
                pointers.setAtIndex(ValueLayout.JAVA_LONG, i, arguments.address() + (long) i * WORD);
            }
            try {
                own.ensureFirstWork();
                kernel.launch(own.handle(), blocks, threads, sharedBytes, pointers);
            } finally {
                Reference.reachabilityFence(arguments); // the driver has only their addresses
            }
        } finally {
            lock.unlock();
        }
        atLaunch.run();
    }

    /** Registers a captured launch with its graph, if this library makes the graph, so that replays are reported. */
    private void keepForReplays(GpuStream stream) {
        CapturedLaunches.of(stream.capture())
                .ifPresent(work -> work.add(replays.orElseThrow(), false, ReplayListener.NONE));
    }

    private void requireShape(int blocks, int threads, int sharedBytes) {
        if (blocks < 1) {
            throw InvalidArgumentException.of("blocks", blocks, "1 or more");
        }
        if (threads < 1 || threads > maxThreads()) {
            throw InvalidArgumentException.of(
                    "threads", threads, "1 to " + maxThreads() + ", as kernel " + name() + " was compiled");
        }
        if (sharedBytes < 0 || sharedBytes > MAX_SHARED_BYTES - kernel.sharedBytes()) {
            throw InvalidArgumentException.of(
                    "sharedBytes",
                    sharedBytes,
                    "0 to " + (MAX_SHARED_BYTES - kernel.sharedBytes()) + ": 48 KiB without the " + kernel.sharedBytes()
                            + " bytes that kernel " + name() + " declares itself");
        }
    }

    /** Whether the kernel is closed. The caller holds the lock. */
    boolean isClosed() {
        return closed;
    }

    @Override
    public Lock lock() {
        return lock;
    }

    @Override
    public boolean isQuiet() {
        return room.isEmpty() || room.get().isQuiet();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        try {
            room.ifPresent(KernelOccupancy::close);
        } finally {
            end();
        }
    }

    private void end() {
        arena.close();
        try {
            DeviceQuiescence.of(context).remove(this);
        } finally {
            module.close();
        }
    }
}
