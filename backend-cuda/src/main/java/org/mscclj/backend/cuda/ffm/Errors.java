package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Set;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.posix.ForeignCalls;

/** The driver's results, their names and texts, and their meaning. */
public final class Errors implements DriverErrors {
    /** {@code CUDA_ERROR_NO_DEVICE}. */
    public static final int NO_DEVICE = 100;

    /** {@code CUDA_ERROR_INVALID_HANDLE}. */
    public static final int INVALID_HANDLE = 400;

    /** {@code CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED}: the requested access exists. */
    static final int PEER_ACCESS_ALREADY_ENABLED = 704;

    private static final int FIRST_OF_LOST_CONTEXTS = 214;

    /**
     * Errors after which the driver completes no work in a context any more and answers each call with such an error:
     * faults of kernels, and of the GPU's memory and links. {@code CUDA_ERROR_ECC_UNCORRECTABLE},
     * {@code NVLINK_UNCORRECTABLE}, {@code CONTAINED}, {@code ILLEGAL_ADDRESS}, {@code LAUNCH_TIMEOUT},
     * {@code CONTEXT_IS_DESTROYED}, {@code ASSERT}, {@code HARDWARE_STACK_ERROR}, {@code ILLEGAL_INSTRUCTION},
     * {@code MISALIGNED_ADDRESS}, {@code INVALID_ADDRESS_SPACE}, {@code INVALID_PC}, {@code LAUNCH_FAILED},
     * {@code TENSOR_MEMORY_LEAK}, and {@code UNKNOWN}.
     */
    private static final Set<Integer> OF_LOST_CONTEXTS =
            Set.of(214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 999);

    private static final MethodHandle NAME =
            DriverLibrary.bind("cuGetErrorName", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle TEXT =
            DriverLibrary.bind("cuGetErrorString", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

    private static final long MAX_TEXT = 1024;

    /** The only instance: it has no state. */
    public static final DriverErrors INSTANCE = new Errors();

    private Errors() {}

    /** {@code cuGetErrorName}: the symbolic name of a result. */
    @Override
    public String name(int result) {
        return text(NAME, result, "CUDA_ERROR_" + result);
    }

    /** {@code cuGetErrorString}: the driver's text for a result. */
    @Override
    public String text(int result) {
        return text(TEXT, result, "an error that this driver does not know");
    }

    @Override
    public boolean isOfLostContext(int result) {
        return result >= FIRST_OF_LOST_CONTEXTS && result != NOT_READY && OF_LOST_CONTEXTS.contains(result);
    }

    @SuppressWarnings("restricted") // the driver returns a pointer to a constant
    private static String text(MethodHandle function, int result, String otherwise) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(ADDRESS);
            if ((int) function.invokeExact(result, pointer) != 0) {
                return otherwise;
            }
            return pointer.get(ADDRESS, 0).reinterpret(MAX_TEXT).getString(0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
