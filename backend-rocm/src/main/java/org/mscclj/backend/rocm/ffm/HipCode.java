package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.backend.rocm.code.CodeObject;
import org.mscclj.backend.rocm.code.Parameter;
import org.mscclj.gpu.driver.CodeCalls;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.FunctionAttribute;
import org.mscclj.posix.IntCall;

/**
 * Calls for compiled code. HIP may refer to the code as long as it is loaded, and does not say which parameters a
 * function has: the code itself says that. Safe for use by several threads.
 */
public final class HipCode implements CodeCalls {
    private static final IntCall LOAD = HipLibrary.call("hipModuleLoadData", ADDRESS, ADDRESS);
    private static final IntCall UNLOAD = HipLibrary.call("hipModuleUnload", JAVA_LONG);
    private static final IntCall FIND = HipLibrary.call("hipModuleGetFunction", ADDRESS, JAVA_LONG, ADDRESS);
    private static final IntCall ATTRIBUTE = HipLibrary.call("hipFuncGetAttribute", ADDRESS, JAVA_INT, JAVA_LONG);
    private static final IntCall OCCUPANCY = HipLibrary.call(
            "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG);

    private static final ConcurrentMap<Long, Loaded> MODULES = new ConcurrentHashMap<>();
    private static final ConcurrentMap<Long, Found> FUNCTIONS = new ConcurrentHashMap<>();

    /** The only instance. */
    public static final CodeCalls INSTANCE = new HipCode();

    private HipCode() {}

    private record Loaded(Arena memory, Map<String, List<Parameter>> parameters) {}

    private record Found(long module, List<Parameter> parameters) {}

    /** The parameters of a function; empty if the code does not say which. */
    static List<Parameter> parameters(long function) {
        Found found = FUNCTIONS.get(function);
        return found == null ? List.of() : found.parameters;
    }

    /** {@code hipModuleLoadData}. */
    @Override
    public int load(MemorySegment module, byte[] code) {
        Arena memory = Arena.ofShared();
        int result = LOAD.call(module, memory.allocateFrom(JAVA_BYTE, code));
        if (result == DriverErrors.SUCCESS) {
            MODULES.put(module.get(JAVA_LONG, 0), new Loaded(memory, CodeObject.parameters(code)));
        } else {
            memory.close();
        }
        return result;
    }

    /** {@code hipModuleUnload}. */
    @Override
    public int unload(long module) {
        // First: HIP may use the pointers again as soon as it has unloaded the module.
        FUNCTIONS.values().removeIf(function -> function.module == module);
        Loaded loaded = MODULES.remove(module);
        int result = UNLOAD.call(module);
        if (loaded != null && result == DriverErrors.SUCCESS) {
            loaded.memory.close();
        }
        return result;
    }

    /** {@code hipModuleGetFunction}. */
    @Override
    public int find(MemorySegment function, long module, String name) {
        try (Arena arena = Arena.ofConfined()) {
            int result = FIND.call(function, module, arena.allocateFrom(name));
            Loaded loaded = MODULES.get(module);
            if (result == DriverErrors.SUCCESS && loaded != null) {
                List<Parameter> parameters = loaded.parameters.getOrDefault(name, List.of());
                FUNCTIONS.put(function.get(JAVA_LONG, 0), new Found(module, parameters));
            }
            return result;
        }
    }

    /** {@code hipFuncGetAttribute}. */
    @Override
    public int attribute(MemorySegment value, long function, FunctionAttribute attribute) {
        return ATTRIBUTE.call(value, number(attribute), function);
    }

    /** The number in {@code hipFunction_attribute}. */
    static int number(FunctionAttribute attribute) {
        return switch (attribute) {
            case MAX_THREADS -> 0;
            case SHARED_BYTES -> 1;
            case REGISTERS -> 4;
        };
    }

    /** {@code hipModuleOccupancyMaxActiveBlocksPerMultiprocessor}. */
    @Override
    public int occupancy(MemorySegment blocks, long function, int threads, int dynamicSharedBytes) {
        return OCCUPANCY.call(blocks, function, threads, (long) dynamicSharedBytes);
    }
}
