package org.mscclj.gpu.driver;

/**
 * Classifies results of a driver. Checks for success and for unfinished work allocate nothing. Results that CUDA and
 * HIP number alike have their numbers here.
 */
public interface DriverErrors {
    /** The result of a successful call. */
    int SUCCESS = 0;

    /** {@code CUDA_ERROR_INVALID_VALUE}, {@code hipErrorInvalidValue}. */
    int INVALID_VALUE = 1;

    /** {@code CUDA_ERROR_OUT_OF_MEMORY}, {@code hipErrorOutOfMemory}. */
    int OUT_OF_MEMORY = 2;

    /** {@code CUDA_ERROR_NOT_FOUND}, {@code hipErrorNotFound}. */
    int NOT_FOUND = 500;

    /** {@code CUDA_ERROR_NOT_READY}, {@code hipErrorNotReady}: no error, but work that has not ended. */
    int NOT_READY = 600;

    /** {@code CUDA_ERROR_NOT_SUPPORTED}, {@code hipErrorNotSupported}. */
    int NOT_SUPPORTED = 801;

    /** {@code …STREAM_CAPTURE_UNSUPPORTED}, the first of the results about captures. */
    int FIRST_OF_CAPTURES = 900;

    /** {@code …CAPTURED_EVENT}, the last of the results about captures: the event was recorded in a capture. */
    int CAPTURED_EVENT = 907;

    /** The symbolic name of a result. */
    String name(int result);

    /** The driver's text for a result. */
    String text(int result);

    /** Whether a result is no error, but means that work has not ended. */
    default boolean isNotReady(int result) {
        return result == NOT_READY;
    }

    /** Whether a result means that memory, or another resource that the driver counts as memory, is exhausted. */
    default boolean isOutOfMemory(int result) {
        return result == OUT_OF_MEMORY;
    }

    /** Whether a result means that a name was not found. */
    default boolean isNotFound(int result) {
        return result == NOT_FOUND;
    }

    /** Whether a result means that an argument is invalid for the driver, as an unknown address. */
    default boolean isInvalidValue(int result) {
        return result == INVALID_VALUE;
    }

    /** Whether a result means that the driver does not support an operation or a query. */
    default boolean isNotSupported(int result) {
        return result == NOT_SUPPORTED;
    }

    /**
     * Whether a result means that the context is lost, because a kernel or the GPU has failed. The driver then
     * completes no work in the context any more, and answers each call with such a result.
     */
    boolean isOfLostContext(int result);

    /**
     * Whether a failure only means that a capture is under way, so that the driver does not answer now. The work that
     * the call asked about may still be in flight.
     *
     * @param code of a {@link org.mscclj.api.error.BackendException}
     */
    default boolean isAboutCaptures(long code) {
        return code >= FIRST_OF_CAPTURES && code <= CAPTURED_EVENT;
    }

    /**
     * Whether a failure means that an event was recorded in a capture, so that the driver cannot determine whether it
     * is reached.
     *
     * @param code of a {@link org.mscclj.api.error.BackendException}
     */
    default boolean isOfCapturedEvent(long code) {
        return code == CAPTURED_EVENT;
    }
}
