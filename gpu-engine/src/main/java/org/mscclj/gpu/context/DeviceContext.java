package org.mscclj.gpu.context;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.mscclj.api.error.BackendException;
import org.mscclj.gpu.driver.GpuDriver;

/**
 * A GPU's primary context in this process, one for each GPU, shared by all who open it and released when the last has
 * closed it. Safe for use by several threads.
 */
public final class DeviceContext implements AutoCloseable {
    private static final ConcurrentMap<Gpu, DeviceContext> OPEN = new ConcurrentHashMap<>();

    /** One for each GPU: contexts of several are made at the same time. */
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
     * The context of a GPU, made if need be, which takes a tenth of a second or more. To be closed as often as opened.
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
     * Opens it once more, for something that must outlive what the caller has opened it for. To be closed as often as
     * opened.
     */
    public DeviceContext share() {
        synchronized (lock(gpu())) {
            users++;
            return this;
        }
    }

    /**
     * Makes this the current context of the calling thread, as functions of the driver expect, and leaves it so.
     * Allocates nothing.
     */
    public void use() {
        long _ = enter();
    }

    /**
     * Makes this the current context of the calling thread until {@link #leave}: that of another GPU may be current,
     * which other software counts on. A few nanoseconds where it is already: the driver is asked, and not a note of our
     * own, because other software may have changed it. Allocates nothing.
     *
     * @return what {@link #leave} takes
     */
    public long enter() {
        long before = driver.contexts().current();
        if (before == handle) {
            return handle;
        }
        setCurrent(handle);
        // Nobody counts on the context of a carrier, which a virtual thread may leave before it could be put back; nor
        // on none.
        return before == 0 || Thread.currentThread().isVirtual() ? handle : before;
    }

    /** Makes the context current again that was before {@link #enter}. Allocates nothing. */
    public void leave(long before) {
        if (before != handle) {
            setCurrent(before);
        }
    }

    /** That a context is lost, the call says that is made in it. */
    private void setCurrent(long context) {
        int result = driver.contexts().setCurrent(context);
        if (!driver.errors().isOfLostContext(result)) {
            driver.check(result, "making the context current");
        }
    }

    /** What calls of this GPU's driver go to. */
    public GpuDriver driver() {
        return driver;
    }

    /** Lets calls of this thread break no capture of other threads, until it is closed. Allocates nothing. */
    public RelaxedThread relax() {
        return captureModes.relax();
    }

    DeviceProperties properties() {
        return properties;
    }

    /**
     * Whether this context is lost: a kernel has faulted, or the GPU has. Then nothing that was launched goes on, and
     * what was freed is gone; who listens by {@link #whenLost} has been told. Allocates nothing.
     */
    public boolean isLost() {
        return faults.isLost();
    }

    /** Remembers what was launched here, by its string, for messages about a lost context. Allocates nothing. */
    public void launched(Object kernel) {
        faults.launched(kernel);
    }

    /**
     * The exception of a call in this context that has failed. If the error says that the context is lost, it tells
     * what was launched last, and who listens hears of it.
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
     * A new stream, not ordered with the null stream, whose first work does not meet that of another one of this
     * process: see {@link #giveFirstWork}. With the context current.
     *
     * @param urgent whether its copies and kernels are to go before others that wait for the GPU
     */
    public long createStream(boolean urgent) {
        return firstWork.createStream(urgent);
    }

    /**
     * Has a stream that other software has made do something, before kernels that wait for one another are launched on
     * it: the first work of two streams may not come at the same time. That of those which are made or passed here
     * comes in turn. Does not wait; allocates nothing.
     */
    public void giveFirstWork(long stream) {
        firstWork.give(stream);
    }

    /** Whether a context of the driver is this one. */
    public boolean is(long context) {
        return context == handle;
    }

    /**
     * Does some work in this context, on a platform thread if the calling one is virtual: its carrier must not be
     * blocked in the driver.
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

    /** The exception of a call in this context; if it says that the context is lost, with what was launched last. */
    private BackendException explained(BackendException thrown) {
        int result = (int) thrown.code();
        if (!driver.errors().isOfLostContext(result)) {
            return thrown;
        }
        BackendException explained = failure(result, "a call of the driver");
        explained.initCause(thrown);
        return explained;
    }

    /** Like {@link #within}, without a result. */
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
     * The architecture of a GPU, of which there need not be a context.
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

    /** Number of its multiprocessors. */
    public int multiprocessors() {
        return properties.multiprocessors();
    }

    /** The model. */
    public String name() {
        return properties.name();
    }

    /** Tells the GPU from all others, in every process. */
    public UUID uuid() {
        return properties.uuid();
    }

    /** Its memory that no process uses, in bytes. */
    public long freeMemory() {
        return within(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment free = arena.allocate(ValueLayout.JAVA_LONG);
                driver.check(driver.devices().freeMemory(free), "reading the free memory");
                return free.get(ValueLayout.JAVA_LONG, 0);
            }
        });
    }

    /** Whether memory of it can be described to transports that reach it without the host. */
    public boolean directRdma() {
        return properties.directRdma();
    }

    /** Whether kernels and copies of this GPU can access memory of another, or its own. */
    public boolean reaches(int peer) {
        return peer == ordinal() || PeerAccess.between(driver, ordinal(), peer);
    }

    /**
     * Lets this GPU access all ordinary memory of another GPU's context, at the same addresses. Stays so: other
     * software may count on it.
     *
     * @throws org.mscclj.api.error.BackendException if it cannot, although it {@link #reaches} the GPU
     */
    public void letAccess(DeviceContext peer) {
        run(() -> {
            int result = driver.contexts().enablePeerAccess(peer.handle);
            driver.check(result, "enabling access of GPU " + ordinal() + " to memory of GPU " + peer.ordinal());
        });
    }

    /** Gives it up. What was made in it must be freed before the last one does. */
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
