package org.mscclj.backend.cuda.module;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.context.DeviceContext;
import org.mscclj.backend.cuda.driver.DriverResult;

/** A kernel of a {@link KernelModule}, which must stay open. Safe for use by several threads. */
public final class Kernel {
    /** Gives the pointer, which JCuda keeps to itself, for launches. */
    private static final class Handle extends CUfunction {
        long address() {
            return getNativePointer();
        }
    }

    private final DeviceContext context;
    private final Handle function;
    private final long address;
    private final String name;
    private final int registers;
    private final int maxThreads;
    private final int sharedBytes;

    private final String label;

    private Kernel(DeviceContext context, Handle function, String name, String label) {
        this.context = context;
        this.function = function;
        this.address = function.address();
        this.name = name;
        this.label = label;
        this.registers = attribute(CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS);
        this.maxThreads = attribute(CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
        this.sharedBytes = attribute(CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    }

    static Kernel find(DeviceContext context, CUmodule module, String name, String label) {
        Handle function = new Handle();
        DriverResult.checkJcuda(
                () -> JCudaDriver.cuModuleGetFunction(function, module, name), "cuModuleGetFunction of " + name);
        DriverResult.check(context.driver().launches().load(function.address()), "cuFuncLoad of " + name);
        return new Kernel(context, function, name, label);
    }

    private int attribute(int attribute) {
        int[] value = new int[1];
        DriverResult.checkJcuda(
                () -> JCudaDriver.cuFuncGetAttribute(value, attribute, function),
                "cuFuncGetAttribute " + attribute + " of " + name);
        return value[0];
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** What it does, for messages. */
    @Override
    public String toString() {
        return label;
    }

    /** Registers of a thread. */
    public int registers() {
        return registers;
    }

    /** The most threads that a block may have. */
    public int maxThreads() {
        return maxThreads;
    }

    /** Shared memory of a block that the code itself declares, in bytes. */
    public int sharedBytes() {
        return sharedBytes;
    }

    /**
     * The size of each of its parameters, in bytes, in order.
     *
     * @throws UnsupportedException if the driver cannot say it
     */
    public List<Long> parameterSizes() {
        if (!context.driver().launches().knowsParameters()) {
            throw new UnsupportedException("the driver does not say which parameters kernel " + name
                    + " has; install the NVIDIA driver, 550 (CUDA 12.4) or newer");
        }
        return context.within(() -> {
            List<Long> sizes = new ArrayList<>();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment offset = arena.allocate(ValueLayout.JAVA_LONG);
                MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
                int result = context.driver().launches().parameter(address, 0, offset, size);
                while (result == DriverResult.SUCCESS) {
                    sizes.add(size.get(ValueLayout.JAVA_LONG, 0));
                    result = context.driver().launches().parameter(address, sizes.size(), offset, size);
                }
                if (result != DriverResult.INVALID_VALUE) { // there is no further one
                    throw DriverResult.failure(result, "cuFuncGetParamInfo of " + name);
                }
            }
            return sizes;
        });
    }

    /** How many blocks of so many threads, without dynamic shared memory, a multiprocessor can hold at once. */
    public int blocksPerMultiprocessor(int threads) {
        return blocksPerMultiprocessor(threads, 0);
    }

    /** How many blocks of so many threads and bytes of dynamic shared memory a multiprocessor can hold at once. */
    public int blocksPerMultiprocessor(int threads, int dynamicSharedBytes) {
        return context.within(() -> {
            int[] blocks = new int[1];
            DriverResult.checkJcuda(
                    () -> JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                            blocks, function, threads, dynamicSharedBytes),
                    "cuOccupancyMaxActiveBlocksPerMultiprocessor of " + name);
            return blocks[0];
        });
    }

    /**
     * Enqueues a launch. Allocates nothing. The calling thread must be a platform thread, or must not be able to leave
     * its carrier meanwhile.
     *
     * @param stream a {@code CUstream} of this GPU
     * @param blocks number of blocks
     * @param threads threads of a block
     * @param dynamicSharedBytes shared memory of a block besides {@link #sharedBytes}; up to 48 KiB in all
     * @param parameters pointers to the arguments, in native memory; they and the arguments are read before the call
     *     returns
     * @throws org.mscclj.api.error.BackendException if the driver refuses it, or if earlier work has failed
     */
    public void launch(long stream, int blocks, int threads, int dynamicSharedBytes, MemorySegment parameters) {
        long before = context.enter();
        int result =
                context.driver().launches().launch(address, blocks, threads, dynamicSharedBytes, stream, parameters);
        context.leave(before);
        context.launched(this);
        if (result != DriverResult.SUCCESS) {
            throw context.failure(
                    result,
                    "cuLaunchKernel of " + name + " with " + blocks + " blocks of " + threads + " threads and "
                            + dynamicSharedBytes + " bytes of dynamic shared memory");
        }
    }
}
