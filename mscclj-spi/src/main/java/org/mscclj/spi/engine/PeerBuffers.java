package org.mscclj.spi.engine;

import java.util.OptionalLong;

/**
 * The addresses of a rank's input and output on this rank's device.
 *
 * @param input address of its input; empty if it is not mapped here
 * @param output address of its output; empty if it is not mapped here
 */
public record PeerBuffers(OptionalLong input, OptionalLong output) {
    /** The buffers of a rank whose memory is not mapped here. */
    public static final PeerBuffers UNMAPPED = new PeerBuffers(OptionalLong.empty(), OptionalLong.empty());

    /** Returns the buffers at offsets from the start of these, in bytes. */
    public PeerBuffers at(long inputOffset, long outputOffset) {
        return inputOffset == 0 && outputOffset == 0
                ? this
                : new PeerBuffers(shifted(input, inputOffset), shifted(output, outputOffset));
    }

    private static OptionalLong shifted(OptionalLong address, long bytes) {
        return address.isPresent() ? OptionalLong.of(address.getAsLong() + bytes) : address;
    }
}
