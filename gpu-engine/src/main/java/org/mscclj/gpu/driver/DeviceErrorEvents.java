package org.mscclj.gpu.driver;

/**
 * Error events of a GPU that the system reports independently of the driver, for all processes that use the GPU. Used
 * by one thread.
 */
public interface DeviceErrorEvents extends AutoCloseable {
    /**
     * Waits for the next error.
     *
     * @param millis the longest wait, in milliseconds
     * @return the number of the error; 0 if none arrives in time
     * @throws IllegalStateException if no error will be reported any more
     */
    long await(int millis);

    /**
     * The system's name of an error.
     *
     * @param number from {@link #await}
     * @return a symbol, as {@code XID_43}
     */
    String symbol(long number);

    @Override
    void close();
}
