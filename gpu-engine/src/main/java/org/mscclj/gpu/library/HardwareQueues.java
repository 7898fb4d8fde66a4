package org.mscclj.gpu.library;

import org.mscclj.posix.Environment;

/**
 * The number of streams of a GPU that run independently of each other, which a driver reads from a variable when it
 * starts. Kernels of several ranks and copies must be able to run concurrently; with the usual number of a driver they
 * wait for each other.
 *
 * @param variable the environment variable
 * @param most the number that is requested, and the most that has an effect
 * @param usual the driver's number if the variable is not a number
 */
public record HardwareQueues(String variable, int most, int usual) {
    /** Requests the most, unless the user has set a number. Called before the driver starts. */
    public void request() {
        Environment.setDefault(variable, Integer.toString(most));
    }

    /** The number of queues. */
    public int count() {
        String given = System.getenv(variable);
        if (given == null) {
            return most;
        }
        try {
            return Math.clamp(Integer.parseInt(given.strip()), 1, most);
        } catch (NumberFormatException _) {
            return usual;
        }
    }
}
