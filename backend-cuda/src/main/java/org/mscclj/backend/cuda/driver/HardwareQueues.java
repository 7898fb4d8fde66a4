package org.mscclj.backend.cuda.driver;

import org.mscclj.posix.Environment;

/** The number of streams of a GPU that run independently of each other. */
final class HardwareQueues {
    /** The variable that the driver reads when it starts. */
    static final String VARIABLE = "CUDA_DEVICE_MAX_CONNECTIONS";

    /**
     * The maximum. Kernels of several ranks and copies must be able to run concurrently; with the driver's default of 8
     * they wait for each other.
     */
    private static final int MAX = 32;

    private static final int USUAL = 8;

    private HardwareQueues() {}

    /** Requests the maximum, unless the user has set a number. Called before the driver starts. */
    static void request() {
        Environment.setDefault(VARIABLE, Integer.toString(MAX));
    }

    /** The number of queues. */
    static int count() {
        String given = System.getenv(VARIABLE);
        if (given == null) {
            return MAX;
        }
        try {
            return Math.clamp(Integer.parseInt(given.strip()), 1, MAX);
        } catch (NumberFormatException _) {
            return USUAL; // the driver's default for an invalid number
        }
    }
}
