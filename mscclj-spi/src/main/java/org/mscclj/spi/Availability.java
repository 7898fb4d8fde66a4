package org.mscclj.spi;

/** Whether a provider can be used here. */
public sealed interface Availability {
    /** The provider can be used. */
    record Available() implements Availability {}

    /**
     * The provider cannot be used.
     *
     * @param reason the reason and the remedy, for example "libcuda.so.1 not found; install the NVIDIA driver"
     */
    record Unavailable(String reason) implements Availability {}

    /** The provider can be used. */
    static Availability available() {
        return new Available();
    }

    /** The provider cannot be used, for this reason. */
    static Availability unavailable(String reason) {
        return new Unavailable(reason);
    }
}
