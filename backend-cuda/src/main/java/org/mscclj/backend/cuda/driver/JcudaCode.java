package org.mscclj.backend.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import org.mscclj.backend.cuda.ffm.Errors;
import org.mscclj.gpu.driver.CodeCalls;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.FunctionAttribute;

/**
 * Calls for compiled code through JCuda. JCuda cannot create an object from a pointer, so its objects are kept by their
 * pointers until a module is unloaded. Safe for use by several threads.
 */
final class JcudaCode implements CodeCalls {
    /** The only instance. */
    static final CodeCalls INSTANCE = new JcudaCode();

    private final ConcurrentMap<Long, LoadedModule> modules = new ConcurrentHashMap<>();
    private final ConcurrentMap<Long, FoundFunction> functions = new ConcurrentHashMap<>();

    private JcudaCode() {}

    /** Exposes the pointer, which is protected in JCuda. */
    private static final class LoadedModule extends CUmodule {
        /** The number of loads that returned this pointer; guarded by the map. */
        private int loads;

        long address() {
            return getNativePointer();
        }
    }

    /** Exposes the pointer, which is protected in JCuda. */
    private static final class FoundFunction extends CUfunction {
        private final long module;

        FoundFunction(long module) {
            this.module = module;
        }

        long address() {
            return getNativePointer();
        }
    }

    private static int call(IntSupplier function) {
        return JcudaResult.of(function, "a call of JCuda about code");
    }

    /**
     * Calls a function with JCuda's object for a pointer. A pointer without an object is invalid for the driver too.
     */
    private static <T> int with(ConcurrentMap<Long, T> known, long pointer, ToIntFunction<T> function) {
        return Optional.ofNullable(known.get(pointer))
                .map(object -> call(() -> function.applyAsInt(object)))
                .orElse(Errors.INVALID_HANDLE);
    }

    /** {@code cuModuleLoadData}. */
    @Override
    public int load(MemorySegment module, byte[] code) {
        LoadedModule made = new LoadedModule();
        int result = call(() -> JCudaDriver.cuModuleLoadData(made, code));
        if (result == DriverErrors.SUCCESS) {
            modules.compute(made.address(), (_, known) -> {
                LoadedModule kept = known == null ? made : known;
                kept.loads++;
                return kept;
            });
            module.set(JAVA_LONG, 0, made.address());
        }
        return result;
    }

    /** {@code cuModuleUnload}. */
    @Override
    public int unload(long module) {
        LoadedModule known = modules.get(module);
        if (known == null) {
            return Errors.INVALID_HANDLE;
        }
        // First: the driver may reuse the pointers as soon as it has unloaded the module.
        if (modules.computeIfPresent(module, (_, kept) -> --kept.loads == 0 ? null : kept) == null) {
            functions.values().removeIf(function -> function.module == module);
        }
        return call(() -> JCudaDriver.cuModuleUnload(known));
    }

    /** {@code cuModuleGetFunction}. */
    @Override
    public int find(MemorySegment function, long module, String name) {
        FoundFunction found = new FoundFunction(module);
        int result = with(modules, module, made -> JCudaDriver.cuModuleGetFunction(found, made, name));
        if (result == DriverErrors.SUCCESS) {
            functions.put(found.address(), found);
            function.set(JAVA_LONG, 0, found.address());
        }
        return result;
    }

    /** {@code cuFuncGetAttribute}. */
    @Override
    public int attribute(MemorySegment value, long function, FunctionAttribute attribute) {
        int[] got = new int[1];
        int result = with(functions, function, found -> JCudaDriver.cuFuncGetAttribute(got, number(attribute), found));
        value.set(JAVA_INT, 0, got[0]);
        return result;
    }

    private static int number(FunctionAttribute attribute) {
        return switch (attribute) {
            case REGISTERS -> CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS;
            case MAX_THREADS -> CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
            case SHARED_BYTES -> CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
        };
    }

    /** {@code cuOccupancyMaxActiveBlocksPerMultiprocessor}. */
    @Override
    public int occupancy(MemorySegment blocks, long function, int threads, int dynamicSharedBytes) {
        int[] got = new int[1];
        int result = with(
                functions,
                function,
                found -> JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                        got, found, threads, dynamicSharedBytes));
        blocks.set(JAVA_INT, 0, got[0]);
        return result;
    }
}
