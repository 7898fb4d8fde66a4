package org.mscclj.backend.cuda.driver;

import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import jcuda.CudaException;
import jcuda.driver.CUresult;
import org.mscclj.api.error.BackendException;

/** What functions of the driver give back: 0, or an error that becomes an exception. */
public final class DriverResult {
    /** Success. */
    public static final int SUCCESS = 0;

    /** {@code CUDA_ERROR_INVALID_VALUE}. */
    public static final int INVALID_VALUE = 1;

    /** {@code CUDA_ERROR_OUT_OF_MEMORY}. */
    public static final int OUT_OF_MEMORY = 2;

    /** {@code CUDA_ERROR_NO_DEVICE}. */
    public static final int NO_DEVICE = 100;

    /** {@code CUDA_ERROR_INVALID_HANDLE}. */
    static final int INVALID_HANDLE = 400;

    /** {@code CUDA_ERROR_NOT_FOUND}. */
    public static final int NOT_FOUND = 500;

    /** {@code CUDA_ERROR_NOT_READY}: not an error, but work that has not ended. */
    public static final int NOT_READY = 600;

    /** {@code CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED}: what was asked for is so. */
    public static final int PEER_ACCESS_ALREADY_ENABLED = 704;

    /** {@code CUDA_ERROR_NOT_SUPPORTED}. */
    public static final int NOT_SUPPORTED = 801;

    /** {@code CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED}, the first of those that captures are about. */
    private static final int FIRST_OF_CAPTURES = 900;

    /** {@code CUDA_ERROR_CAPTURED_EVENT}: it was recorded in a capture, so there is no saying whether it is reached. */
    public static final int CAPTURED_EVENT = 907;

    private static final int FIRST_OF_LOST_CONTEXTS = 214;

    /**
     * Errors after which the driver ends nothing in a context any more and answers each call likewise: faults of
     * kernels, and of the GPU's memory and links. {@code CUDA_ERROR_ECC_UNCORRECTABLE}, {@code NVLINK_UNCORRECTABLE},
     * {@code CONTAINED}, {@code ILLEGAL_ADDRESS}, {@code LAUNCH_TIMEOUT}, {@code CONTEXT_IS_DESTROYED}, {@code ASSERT},
     * {@code HARDWARE_STACK_ERROR}, {@code ILLEGAL_INSTRUCTION}, {@code MISALIGNED_ADDRESS},
     * {@code INVALID_ADDRESS_SPACE}, {@code INVALID_PC}, {@code LAUNCH_FAILED}, {@code TENSOR_MEMORY_LEAK}, and
     * {@code UNKNOWN}.
     */
    private static final Set<Integer> OF_LOST_CONTEXTS =
            Set.of(214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 999);

    /** More than there are. */
    private static final int RESULTS = 1_000;

    private DriverResult() {}

    /**
     * Whether a failure says no more than that somebody captures, so that the driver does not answer now: what was
     * asked for may still be under way.
     */
    public static boolean isAboutCaptures(BackendException failure) {
        return failure.code() >= FIRST_OF_CAPTURES && failure.code() <= CAPTURED_EVENT;
    }

    /** Whether an error says that the context is lost. */
    public static boolean isOfLostContext(int result) {
        return result >= FIRST_OF_LOST_CONTEXTS && result != NOT_READY && OF_LOST_CONTEXTS.contains(result);
    }

    /**
     * Passes success, and errors of a lost context: then there is nothing left to give back, and who closes it has been
     * told.
     *
     * @param function what was called, which frees something
     * @throws BackendException otherwise
     */
    public static void checkFreed(int result, String function) {
        if (!isOfLostContext(result)) {
            check(result, function);
        }
    }

    /**
     * Passes success.
     *
     * @param function what was called
     * @throws BackendException otherwise
     */
    public static void check(int result, String function) {
        if (result != SUCCESS) {
            throw failure(result, function);
        }
    }

    /** An exception with the function, the symbolic name and what the driver says about it. */
    public static BackendException failure(int result, String function) {
        return new BackendException(
                function + " failed: " + CudaDriver.INSTANCE.errors().text(result),
                result,
                CudaDriver.INSTANCE.errors().name(result));
    }

    /**
     * The result of JCuda, which gives results back or throws, as the application has chosen for all of it.
     *
     * @param function what is called
     * @throws BackendException if it throws something that is no result
     */
    static int ofJcuda(IntSupplier call, String function) {
        try {
            return call.getAsInt();
        } catch (CudaException e) {
            return resultOf(e).orElseThrow(() -> new BackendException(function + " failed: " + e.getMessage(), e));
        }
    }

    /** JCuda says nothing but the name. */
    private static OptionalInt resultOf(CudaException failure) {
        return IntStream.range(0, RESULTS)
                .filter(result -> CUresult.stringFor(result).equals(failure.getMessage()))
                .findFirst();
    }
}
