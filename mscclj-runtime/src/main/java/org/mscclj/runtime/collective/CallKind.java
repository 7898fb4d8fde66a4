package org.mscclj.runtime.collective;

/**
 * Calls of one kind are set up once. It is equal on all ranks for the same call: the shape must be, and so must the
 * places.
 *
 * @param input where the input lies; in place, where the larger buffer lies, of which the other is a part that depends
 *     on the rank
 * @param output likewise
 * @param registryChanges how often the communicator's registry of plans had changed
 */
record CallKind(CallShape shape, Place input, Place output, long registryChanges) {
    /** Where the buffers lie, in words; empty if neither is registered. */
    String places() {
        if (!input.isRegistered() && !output.isRegistered()) {
            return "";
        }
        return input.equals(output) ? "in " + input : "from " + input + " to " + output;
    }

    /** Whether peers can access both buffers, if the places are equal on all ranks. */
    boolean isRegistered() {
        return input.isRegistered() && output.isRegistered();
    }
}
