package org.mscclj.backend.cuda.driver;

import org.mscclj.posix.Environment;

/** How many streams of a GPU run independently of each other. */
final class HardwareQueues {
    /** What the driver reads when it starts. */
    static final String VARIABLE = "CUDA_DEVICE_MAX_CONNECTIONS";

    /**
     * The most that there are. Kernels of several ranks and copies must be able to run at once; with the driver's usual
     * 8 they wait for each other.
     */
    private static final int MOST = 32;

    private static final int USUAL = 8;

    private HardwareQueues() {}

    /** Asks for all of them, unless the user has said otherwise. Before the driver starts. */
    static void request() {
        Environment.setDefault(VARIABLE, Integer.toString(MOST));
    }

    /** How many there are. */
    static int count() {
        String given = System.getenv(VARIABLE);
        if (given == null) {
            return MOST;
        }
        try {
            return Math.clamp(Integer.parseInt(given.strip()), 1, MOST);
        } catch (NumberFormatException _) {
            return USUAL; // what the driver makes of it
        }
    }
}
