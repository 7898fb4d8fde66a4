package org.mscclj.runtime.signature;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Where the buffers of a call lie.
 *
 * @param input where the input lies; in place, where the larger buffer lies, of which the other one is a part that
 *     depends on the rank
 * @param output where the output lies, likewise
 */
public record Places(Place input, Place output) {
    /** Buffers anywhere, of which ranks have nothing in common. */
    public static final Places PLAIN = new Places(Place.PLAIN, Place.PLAIN);

    /** Whether peers can access both buffers, if the places are equal on all ranks. */
    public boolean areRegistered() {
        return input.isRegistered() && output.isRegistered();
    }

    /** What hooks and dumps show; empty if neither buffer is registered. */
    public String describe() {
        if (!input.isRegistered() && !output.isRegistered()) {
            return "";
        }
        return input.equals(output) ? "in " + input : "from " + input + " to " + output;
    }

    void write(DataOutputStream out) throws IOException {
        input.write(out);
        output.write(out);
    }

    static Places read(DataInputStream in) throws IOException {
        return new Places(Place.read(in), Place.read(in));
    }

    @Override
    public String toString() {
        return "input in " + input + ", output in " + output;
    }
}
