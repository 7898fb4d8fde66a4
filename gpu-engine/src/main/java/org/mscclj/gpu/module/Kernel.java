package org.mscclj.gpu.module;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.FunctionAttribute;

/** A kernel of a {@link KernelModule}, which must stay open. Safe for use by several threads. */
public final class Kernel {
    private final DeviceContext context;
    private final long address;
    private final String name;
    private final int registers;
    private final int maxThreads;
    private final int sharedBytes;

    private final String label;

    private Kernel(DeviceContext context, long address, String name, String label) {
        this.context = context;
        this.address = address;
        this.name = name;
        this.label = label;
        this.registers = attribute(FunctionAttribute.REGISTERS);
        this.maxThreads = attribute(FunctionAttribute.MAX_THREADS);
        this.sharedBytes = attribute(FunctionAttribute.SHARED_BYTES);
    }

    static Kernel find(DeviceContext context, long module, String name, String label) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment function = arena.allocate(ValueLayout.JAVA_LONG);
            context.driver()
                    .check(context.driver().code().find(function, module, name), "finding the function of " + name);
            long address = function.get(ValueLayout.JAVA_LONG, 0);
            context.driver().check(context.driver().launches().load(address), "loading " + name);
            return new Kernel(context, address, name, label);
        }
    }

    private int attribute(FunctionAttribute attribute) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
            context.driver()
                    .check(
                            context.driver().code().attribute(value, address, attribute),
                            "reading the attribute " + attribute + " of " + name);
            return value.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** The name of the kernel. */
    public String name() {
        return name;
    }

    /** The kernel's label, which describes its task in messages. */
    @Override
    public String toString() {
        return label;
    }

    /** Registers per thread. */
    public int registers() {
        return registers;
    }

    /** The most threads that a block may have. */
    public int maxThreads() {
        return maxThreads;
    }

    /** Shared memory per block that the code itself declares, in bytes. */
    public int sharedBytes() {
        return sharedBytes;
    }

    /**
     * The size of each parameter, in bytes, in order.
     *
     * @throws UnsupportedException if the driver cannot report it
     */
    public List<Long> parameterSizes() {
        if (!context.driver().launches().knowsParameters()) {
            throw new UnsupportedException("the driver does not say which parameters kernel " + name + " has; "
                    + context.driver().terms().parameterSizes());
        }
        return context.within(() -> {
            List<Long> sizes = new ArrayList<>();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment offset = arena.allocate(ValueLayout.JAVA_LONG);
                MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
                int result = context.driver().launches().parameter(address, 0, offset, size);
                while (result == DriverErrors.SUCCESS) {
                    sizes.add(size.get(ValueLayout.JAVA_LONG, 0));
                    result = context.driver().launches().parameter(address, sizes.size(), offset, size);
                }
                if (!context.driver().errors().isInvalidValue(result)) { // there are no more parameters
                    throw context.driver().failure(result, "reading the parameters of " + name);
                }
            }
            return sizes;
        });
    }

    /**
     * The number of blocks with this number of threads, without dynamic shared memory, that a multiprocessor can hold
     * at once.
     */
    public int blocksPerMultiprocessor(int threads) {
        return blocksPerMultiprocessor(threads, 0);
    }

    /**
     * The number of blocks with these threads and bytes of dynamic shared memory that a multiprocessor can hold at
     * once.
     */
    public int blocksPerMultiprocessor(int threads, int dynamicSharedBytes) {
        return context.within(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment blocks = arena.allocate(ValueLayout.JAVA_INT);
                context.driver()
                        .check(
                                context.driver().code().occupancy(blocks, address, threads, dynamicSharedBytes),
                                "reading the occupancy of " + name);
                return blocks.get(ValueLayout.JAVA_INT, 0);
            }
        });
    }

    /**
     * Enqueues a launch. Allocates nothing. The calling thread must be a platform thread, or must not be able to leave
     * its carrier meanwhile.
     *
     * @param stream a stream of this GPU's driver
     * @param blocks number of blocks
     * @param threads threads per block
     * @param dynamicSharedBytes shared memory of a block besides {@link #sharedBytes}; up to 48 KiB in all
     * @param parameters pointers to the arguments, in native memory; they and the arguments are read before the call
     *     returns
     * @throws org.mscclj.api.error.BackendException if the driver refuses the launch, or if earlier work has failed
     */
    public void launch(long stream, int blocks, int threads, int dynamicSharedBytes, MemorySegment parameters) {
        long before = context.enter();
        int result =
                context.driver().launches().launch(address, blocks, threads, dynamicSharedBytes, stream, parameters);
        context.leave(before);
        context.launched(this);
        if (result != DriverErrors.SUCCESS) {
            throw context.failure(
                    result,
                    "the launch of " + name + " with " + blocks + " blocks of " + threads + " threads and "
                            + dynamicSharedBytes + " bytes of dynamic shared memory");
        }
    }

    /**
     * Enqueues a launch that may begin early, of a kernel that waits for earlier work itself; otherwise like
     * {@link #launch}.
     */
    public void launchEarly(long stream, EarlyLaunch early, MemorySegment parameters) {
        long before = context.enter();
        int result = context.driver().launches().launchEarly(address, early.description(), stream, parameters);
        context.leave(before);
        context.launched(this);
        if (result != DriverErrors.SUCCESS) {
            throw context.failure(result, "the launch of " + name + " with " + early);
        }
    }
}
