package org.mscclj.gpu.driver;

/** What results of a driver mean. Questions about success, or about work that has not ended, allocate nothing. */
public interface DriverErrors {
    /** The result of a call that has not failed. */
    int SUCCESS = 0;

    /** The symbolic name of a result. */
    String name(int result);

    /** What the driver says about a result. */
    String text(int result);

    /** Whether it is no error, but work has not ended. */
    boolean isNotReady(int result);

    /** Whether there is not enough memory, or not enough of what the driver counts as such. */
    boolean isOutOfMemory(int result);

    /** Whether there is nothing of a name. */
    boolean isNotFound(int result);

    /** Whether an argument says nothing to the driver, as an address that it does not know. */
    boolean isInvalidValue(int result);

    /** Whether the driver cannot do or say something. */
    boolean isNotSupported(int result);

    /**
     * Whether the context is lost: kernels have faulted, or the GPU has. The driver ends nothing in it any more, and
     * answers each call likewise.
     */
    boolean isOfLostContext(int result);

    /**
     * Whether a failure says no more than that somebody captures, so that the driver does not answer now: what was
     * asked for may still be under way.
     *
     * @param code of a {@link org.mscclj.api.error.BackendException}
     */
    boolean isAboutCaptures(long code);

    /**
     * Whether an event was recorded in a capture, so that there is no saying whether it is reached.
     *
     * @param code of a {@link org.mscclj.api.error.BackendException}
     */
    boolean isOfCapturedEvent(long code);
}
