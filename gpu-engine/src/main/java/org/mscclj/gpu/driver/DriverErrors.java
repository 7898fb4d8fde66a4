package org.mscclj.gpu.driver;

/** Classifies results of a driver. Checks for success and for unfinished work allocate nothing. */
public interface DriverErrors {
    /** The result of a successful call. */
    int SUCCESS = 0;

    /** The symbolic name of a result. */
    String name(int result);

    /** The driver's text for a result. */
    String text(int result);

    /** Whether a result is no error, but means that work has not ended. */
    boolean isNotReady(int result);

    /** Whether a result means that memory, or another resource that the driver counts as memory, is exhausted. */
    boolean isOutOfMemory(int result);

    /** Whether a result means that a name was not found. */
    boolean isNotFound(int result);

    /** Whether a result means that an argument is invalid for the driver, as an unknown address. */
    boolean isInvalidValue(int result);

    /** Whether a result means that the driver does not support an operation or a query. */
    boolean isNotSupported(int result);

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
    boolean isAboutCaptures(long code);

    /**
     * Whether a failure means that an event was recorded in a capture, so that the driver cannot determine whether it
     * is reached.
     *
     * @param code of a {@link org.mscclj.api.error.BackendException}
     */
    boolean isOfCapturedEvent(long code);
}
