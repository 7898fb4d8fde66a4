package org.mscclj.spi.fallback;

/** Memory that a communicator of another library has registered. */
public interface FallbackRegistration extends AutoCloseable {
    /** Ends the registration, when no operation uses the memory. Idempotent. */
    @Override
    void close();
}
