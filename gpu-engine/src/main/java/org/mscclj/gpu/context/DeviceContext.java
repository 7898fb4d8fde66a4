package org.mscclj.gpu.context;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.mscclj.api.error.BackendException;
import org.mscclj.gpu.driver.GpuDriver;

/**
 * A GPU's primary context in this process. There is one instance for each GPU; all users share it, and the last user to
 * close it releases the context. Safe for use by several threads.
 */
public final class DeviceContext implements AutoCloseable {
    private static final ConcurrentMap<Gpu, DeviceContext> OPEN = new ConcurrentHashMap<>();

    /** One lock for each GPU: contexts of several GPUs are created concurrently. */
    private static final ConcurrentMap<Gpu, Object> LOCKS = new ConcurrentHashMap<>();

    private final Gpu gpu;
    private final GpuDriver driver;
    private final CaptureModes captureModes;
    private final DeviceProperties properties;
    private final long handle;
    private final StreamPrimer firstWork;
    private final FaultWatch faults;
    private int users;

    private DeviceContext(Gpu gpu, DeviceProperties properties, long handle) {
        this.gpu = gpu;
        this.driver = gpu.driver();
        this.captureModes = new CaptureModes(driver);
        this.properties = properties;
        this.handle = handle;
        long before = enter();
        try {
            this.firstWork = new StreamPrimer(this);
            this.faults = new FaultWatch(this, firstWork);
        } finally {
            leave(before);
        }
    }

    private static DeviceContext retain(Gpu gpu) {
        GpuDriver driver = gpu.driver();
        int ordinal = gpu.ordinal();
        DeviceProperties properties = DeviceProperties.of(driver, ordinal);
        long handle = PrimaryContext.retain(driver, ordinal);
        try {
            return new DeviceContext(gpu, properties, handle);
        } catch (RuntimeException | Error e) {
            PrimaryContext.release(driver, ordinal);
            throw e;
        }
    }

    /**
     * Opens the context of a GPU. Creating it takes a tenth of a second or more. The caller closes it as often as it
     * opens it.
     *
     * @throws org.mscclj.api.error.UnsupportedException if there is no driver or no GPU
     * @throws org.mscclj.api.error.InvalidArgumentException if there is no such GPU
     */
    public static DeviceContext open(Gpu gpu) {
        return PlatformThread.call(() -> {
            synchronized (lock(gpu)) {
                DeviceContext context = OPEN.get(gpu);
                if (context == null) {
                    context = retain(gpu);
                    OPEN.put(gpu, context);
                }
                context.users++;
                return context;
            }
        });
    }

    private static Object lock(Gpu gpu) {
        return LOCKS.computeIfAbsent(gpu, _ -> new Object());
    }

    /**
     * Opens the context once more, for an object that must outlive the caller's own use. It is closed as often as it is
     * opened.
     */
    public DeviceContext share() {
        synchronized (lock(gpu())) {
            users++;
            return this;
        }
    }

    /**
     * Makes this the current context of the calling thread, as functions of the driver expect, and leaves it current.
     * Allocates nothing.
     */
    public void use() {
        long _ = enter();
    }

    /**
     * Makes this the current context of the calling thread until {@link #leave}: the context of another GPU may be
     * current, and other software relies on it. Takes a few nanoseconds if this context is current already. The current
     * context is queried from the driver instead of cached, because other software may have changed it. Allocates
     * nothing.
     *
     * @return the argument for {@link #leave}
     */
    public long enter() {
        long before = driver.contexts().current();
        if (before == handle) {
            return handle;
        }
        setCurrent(handle);
        // No software relies on the context of a carrier, which a virtual thread may leave before the context is
        // restored; nor on having none.
        return before == 0 || Thread.currentThread().isVirtual() ? handle : before;
    }

    /** Restores the context that was current before {@link #enter}. Allocates nothing. */
    public void leave(long before) {
        if (before != handle) {
            setCurrent(before);
        }
    }

    /** Sets the current context. Ignores that a context is lost: the next call in it reports that. */
    private void setCurrent(long context) {
        int result = driver.contexts().setCurrent(context);
        if (!driver.errors().isOfLostContext(result)) {
            driver.check(result, "making the context current");
        }
    }

    /** The driver of this GPU. */
    public GpuDriver driver() {
        return driver;
    }

    /**
     * Prevents calls of this thread from breaking captures of other threads, until the result is closed. Allocates
     * nothing.
     */
    public RelaxedThread relax() {
        return captureModes.relax();
    }

    DeviceProperties properties() {
        return properties;
    }

    /**
     * Whether this context is lost, because a kernel or the GPU has failed. Then no launched work continues, and
     * allocations are gone; all listeners of {@link #whenLost} have been notified. Allocates nothing.
     */
    public boolean isLost() {
        return faults.isLost();
    }

    /** Records a launch here, by the object's string, for messages about a lost context. Allocates nothing. */
    public void launched(Object kernel) {
        faults.launched(kernel);
    }

    /**
     * Creates the exception of a failed call in this context. If the error means that the context is lost, the
     * exception names the last launches, and the listeners are notified.
     *
     * @param function what was called
     */
    public BackendException failure(int result, String function) {
        return faults.failure(result, function);
    }

    /**
     * Calls a listener once or twice when this context is lost: within some tenths of a second, or at once if the loss
     * is known. The listener runs in a thread of the backend, or in the calling thread. It must not block, and must not
     * call the driver.
     *
     * @return ends the calls when it is closed; no listener closes it
     */
    public AutoCloseable whenLost(Consumer<BackendException> listener) {
        return faults.listen(listener);
    }

    /**
     * Creates a stream that is not ordered with the null stream. Its first work does not coincide with that of another
     * stream of this process: see {@link #giveFirstWork}. The context must be current.
     *
     * @param urgent whether its copies and kernels have priority over other streams' work that waits for the GPU
     */
    public long createStream(boolean urgent) {
        return firstWork.createStream(urgent);
    }

    /**
     * Enqueues first work on a stream that other software has created, before kernels that wait for one another are
     * launched on it: the first work of two streams must not coincide. Streams that are created or passed here receive
     * it one after the other. Does not wait; allocates nothing.
     */
    public void giveFirstWork(long stream) {
        firstWork.give(stream);
    }

    /** Whether a context of the driver is this one. */
    public boolean is(long context) {
        return context == handle;
    }

    /**
     * Runs work in this context. If the calling thread is virtual, the work runs on a platform thread, because the
     * driver must not block the carrier.
     */
    public <T> T within(Supplier<T> work) {
        return PlatformThread.call(() -> {
            long before = enter();
            try {
                return work.get();
            } catch (BackendException e) {
                throw explained(e);
            } finally {
                leave(before);
            }
        });
    }

    /**
     * Creates the exception of a call in this context. If the context is lost, the exception names the last launches.
     */
    private BackendException explained(BackendException thrown) {
        int result = (int) thrown.code();
        if (!driver.errors().isOfLostContext(result)) {
            return thrown;
        }
        BackendException explained = failure(result, "a call of the driver");
        explained.initCause(thrown);
        return explained;
    }

    /** Runs work as {@link #within} does, without a result. */
    public void run(Runnable work) {
        within(() -> {
            work.run();
            return this;
        });
    }

    /** The GPU. */
    public Gpu gpu() {
        return gpu;
    }

    /** The GPU's number among those that this process sees. */
    public int ordinal() {
        return properties.ordinal();
    }

    /**
     * The architecture of a GPU. Needs no context.
     *
     * @throws org.mscclj.api.error.UnsupportedException if there is no driver or no GPU
     * @throws org.mscclj.api.error.InvalidArgumentException if there is no such GPU
     */
    public static String architecture(Gpu gpu) {
        return PlatformThread.call(
                () -> DeviceProperties.of(gpu.driver(), gpu.ordinal()).architecture());
    }

    /** The architecture that kernels are compiled for: {@code sm_90}. */
    public String architecture() {
        return properties.architecture();
    }

    /** The number of multiprocessors. */
    public int multiprocessors() {
        return properties.multiprocessors();
    }

    /** The number of threads that execute an instruction together. */
    public int warpSize() {
        return properties.warpSize();
    }

    /** The model of the GPU. */
    public String name() {
        return properties.name();
    }

    /** The UUID of the GPU, equal in every process. */
    public UUID uuid() {
        return properties.uuid();
    }

    /** The GPU's memory that no process uses, in bytes. */
    public long freeMemory() {
        return within(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment free = arena.allocate(ValueLayout.JAVA_LONG);
                driver.check(driver.devices().freeMemory(free), "reading the free memory");
                return free.get(ValueLayout.JAVA_LONG, 0);
            }
        });
    }

    /** The GPU's address on the PCI bus, as {@code 0000:3b:00.0}; empty if the driver does not know it. */
    public Optional<String> busAddress() {
        return properties.busAddress();
    }

    /** Whether the GPU's memory can be described to transports that access it without the host. */
    public boolean directRdma() {
        return properties.directRdma();
    }

    /** Whether kernels and copies of this GPU can access the memory of a GPU, which may be this one. */
    public boolean reaches(int peer) {
        return peer == ordinal() || PeerAccess.between(driver, ordinal(), peer);
    }

    /**
     * Gives this GPU access to all ordinary memory of another GPU's context, at the same addresses. The access is
     * permanent, because other software may rely on it.
     *
     * @throws org.mscclj.api.error.BackendException if the driver refuses, although this GPU {@link #reaches} the other
     *     one
     */
    public void letAccess(DeviceContext peer) {
        run(() -> {
            int result = driver.contexts().enablePeerAccess(peer.handle);
            driver.check(result, "enabling access of GPU " + ordinal() + " to memory of GPU " + peer.ordinal());
        });
    }

    /** Closes one use of the context. Its resources must be freed before the last use is closed. */
    @Override
    public void close() {
        PlatformThread.call(() -> {
            synchronized (lock(gpu())) {
                if (users > 0 && --users == 0) {
                    OPEN.remove(gpu());
                    try {
                        long before = enter();
                        try {
                            firstWork.free();
                        } finally {
                            leave(before);
                        }
                    } finally {
                        PrimaryContext.release(driver, ordinal());
                    }
                }
            }
            return this;
        });
    }
}
