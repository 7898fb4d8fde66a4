package org.mscclj.runtime.signature;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Locations of the buffers of a call.
 *
 * @param input location of the input; in place, the location of the larger buffer, of which the other one is a part
 *     that depends on the rank
 * @param output location of the output, likewise
 */
public record Places(Place input, Place output) {
    /** Buffers at any location, which ranks need not agree on. */
    public static final Places PLAIN = new Places(Place.PLAIN, Place.PLAIN);

    /** Returns whether peers can access both buffers, if the locations are equal on all ranks. */
    public boolean areRegistered() {
        return input.isRegistered() && output.isRegistered();
    }

    /** Returns the text for hooks and dumps; empty if neither buffer is registered. */
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
