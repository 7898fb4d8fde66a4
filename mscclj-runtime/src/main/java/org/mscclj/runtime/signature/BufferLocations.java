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
public record BufferLocations(BufferLocation input, BufferLocation output) {
    /** Buffers at any location, which ranks need not agree on. */
    public static final BufferLocations PLAIN = new BufferLocations(BufferLocation.PLAIN, BufferLocation.PLAIN);

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

    static BufferLocations read(DataInputStream in) throws IOException {
        return new BufferLocations(BufferLocation.read(in), BufferLocation.read(in));
    }

    @Override
    public String toString() {
        return "input in " + input + ", output in " + output;
    }
}
